/** The width of a card's photo in one, two or three columns. */
export const cardPhotoSizes = "(width < 46rem) 100vw, 24rem";
