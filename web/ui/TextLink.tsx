import { Link, type LinkProps } from "react-router";

export function TextLink(props: Omit<LinkProps, "className">) {
  return <Link {...props} className="link" />;
}
