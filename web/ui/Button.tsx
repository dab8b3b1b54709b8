import { type ComponentProps, type MouseEvent, useRef } from "react";

const looks = {
  primary: "btn-primary",
  accent: "btn-accent",
  dark: "btn-neutral",
  plain: "border-line bg-base-100 hover:bg-base-200",
  quiet: "btn-ghost",
  danger: "btn-outline btn-error",
};

const sizes = { small: "btn-sm text-sm", medium: "", large: "btn-lg px-7 text-base" };

export type Appearance = {
  look?: keyof typeof looks | undefined;
  size?: keyof typeof sizes | undefined;
};

export function buttonClass({ look = "primary", size = "medium" }: Appearance = {}): string {
  return `btn ${looks[look]} ${sizes[size]}`.trim();
}

type ButtonProps = ComponentProps<"button"> & Appearance & { busy?: boolean };

/** A busy button ignores clicks but keeps focus, which a disabled button would lose. */
export function Button(props: ButtonProps) {
  const { look, size, busy, className = "", children, onClick, ...rest } = props;
  const pressed = useRef(false);
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Ignores a double click's second click, unless the first was on another element in this place.
    const isSecond = event.detail > 1 && pressed.current;
    pressed.current = true;
    // Enter in a field also clicks the submit button.
    if (busy || isSecond) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass({ look, size })} ${className}`.trim()}
      {...(busy && { "aria-busy": true, "aria-disabled": true })}
      onClick={press}
    >
      {busy && <span className="loading" aria-hidden="true" />}
      {children}
    </button>
  );
}
