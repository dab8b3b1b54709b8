declare module "virtual:icon-sprite" {
  /** The URL of the file with all icons. */
  const sprite: string;
  export default sprite;
}

declare module "virtual:page-loader" {
  /** The inline script of every page. */
  const script: string;
  export default script;
}
