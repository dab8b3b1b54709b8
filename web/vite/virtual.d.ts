declare module "virtual:icon-sprite" {
  /** The URL of the file with all icons. */
  const sprite: string;
  export default sprite;
}
