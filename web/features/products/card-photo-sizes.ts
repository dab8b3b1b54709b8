/** A little less than a card's width: a phone with 1.75 pixels for each of them takes 640 pixels then, not 1,280. */
export const cardPhotoSizes = "(width >= 64rem) 24rem, (width >= 40rem) 45vw, calc(100vw - 3rem)";
