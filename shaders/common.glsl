// common.glsl -- what every shader knows: the frame, told once in a block (render/gl/gl_internal.h has its twin).
layout(std140) uniform Frame {
    mat4 clip;       // from the level to clip space
    vec4 eye;        // where it stands; w: the clock of materials, seconds
    vec4 forward;
    vec4 picture;    // width, height in pixels
    vec4 light;      // x: 1 or 2, what overbright doubles; y: where the depth view is half grey
    vec4 wire;       // colour of wires
    vec4 sky;        // colour of a sky without a picture
    vec4 clip_plane;         // of a portal: what is behind it is cut off
    vec4 light_count;
    vec4 light_at[64];       // dynamic lights; w: radius
    vec4 light_color[64];
};

// Where an overlay is drawn: at its point, but at the depth of one a little nearer, so that what lies on a wall is seen.
vec4 place_overlay(vec3 point) {
    vec4 at = clip * vec4(point, 1.0);
    vec4 nearer = clip * vec4(mix(point, eye.xyz, 0.002), 1.0);
    if (at.w > 0.0 && nearer.w > 0.0 && nearer.z > -nearer.w)
        at.z = nearer.z / nearer.w * at.w;
    return at;
}

// Dynamic lights fall to nothing at their radius in a straight line (frame_lights_at is the same).
vec3 dynamic_lights(vec3 place) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < int(light_count.x); i++)
        sum += light_color[i].rgb * max(1.0 - distance(place, light_at[i].xyz) / light_at[i].w, 0.0);
    return sum / light.x;
}
