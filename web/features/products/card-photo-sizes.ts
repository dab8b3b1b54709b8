/** A card's photo is somewhat wider, but sharp enough with the file for this width. */
export const cardPhotoSizes = "10rem";
