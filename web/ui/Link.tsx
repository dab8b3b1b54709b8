import { Link, type LinkProps } from "react-router";
import { type Appearance, buttonClass } from "./Button.tsx";

type ButtonLinkProps = Omit<LinkProps, "className"> & Appearance;

export function ButtonLink({ look, size, ...link }: ButtonLinkProps) {
  return <Link {...link} className={buttonClass({ look, size })} />;
}

export function TextLink(props: Omit<LinkProps, "className">) {
  return <Link {...props} className="link" />;
}
