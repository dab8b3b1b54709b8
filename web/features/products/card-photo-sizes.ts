/** A card's photo is slightly wider, but the file for this width is sharp enough. */
export const cardPhotoSizes = "10rem";
