"""The commands, one module per kind of object; each is a class of `do_COMMAND` methods."""
