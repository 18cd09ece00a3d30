/* base/trig.h -- sine, cosine, logarithm and their kin with the same bits on every machine.
 *
 * libm chooses other code on other processors, so a picture that depends on it differs in its last bits. These use only
 * IEEE additions, multiplications, divisions and square roots (which every machine rounds alike) in a fixed order.
 * Angles are radians. Errors are within a few units in the last place of a double; the sine of an angle beyond 1e6 loses
 * digits as the angle grows (6e-8 at 1e9): wrap first where that matters. */
#ifndef LEAFWALK_TRIG_H
#define LEAFWALK_TRIG_H

double trig_sin(double angle);
double trig_cos(double angle);
double trig_tan(double angle);
double trig_atan(double slope);
double trig_atan2(double y, double x);
double trig_asin(double x);      /* NaN outside -1..1 */
double trig_acos(double x);
double trig_exp(double x);
double trig_log(double x);       /* NaN below 0, -infinity at 0 */
double trig_pow(double base, double exponent);

static inline double trig_radians(double degrees) { return degrees * (3.14159265358979323846 / 180); }
static inline double trig_degrees(double radians) { return radians * (180 / 3.14159265358979323846); }

#endif
