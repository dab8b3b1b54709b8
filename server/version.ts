import about from "../package.json" with { type: "json" };

/** The version of the program, as in `package.json`. */
export const { version } = about;
