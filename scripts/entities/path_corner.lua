-- path_corner: a stop of a func_train. It does nothing by itself.
return { help = "A corner of a train's way: target is the next one." }
