/** The `sizes` attribute of a card's photo, for grids of one, two or three columns. */
export const cardPhotoSizes = "(width < 46rem) 100vw, 24rem";
