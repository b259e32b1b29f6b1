"""Draws all pictures from the data beside them."""

from docs.pictures import before_after, sawtooth
from docs.pictures.stamp import save

for picture in (before_after, sawtooth):
    save(picture.draw(), picture.PICTURE, picture.SOURCES)
