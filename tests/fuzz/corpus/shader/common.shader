// materials
textures/a/door
{
	qer_editorimage textures/a/door.tga
	surfaceparm trans
	cull none
	deformVertexes wave 100 sin 0 1 0 1
	sort additive
	{
		map textures/a/door.tga
		rgbGen wave noise 0 1 0 1
		tcMod scroll 1 1
		tcMod turb 0 .1 .2 .3
	}
	{
		map $lightmap
		blendFunc filter
		alphaFunc GE128
	}
	{
		animMap 10 a b c
		blendfunc GL_SRC_ALPHA GL_ONE
		tcGen vector ( 1 0 0 ) (0 1 0)
		rgbGen const ( 1 0.5 0 )
		alphaGen portal 512
	}
}
