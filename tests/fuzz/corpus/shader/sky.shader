textures/skies/x
{
	surfaceparm sky
	q3map_sunExt 1 1 1 100 45 60 2 16
	skyparms env/x 512 -
	fogparms ( .1 .2 .3 ) 400 }
b{ { map "odd{name}" tcMod stretch sin 1 1 1 1 tcMod transform 1 0 0 1 0 0 } /* c */ }
d { map "open
