import type { ReactNode } from "react";

export function XIcon() {
  return (
    <Icon name="X">
      <path d="M4 4l16 16M20 4L4 20" fill="none" stroke="currentColor" strokeWidth="2.4" />
    </Icon>
  );
}

export function YouTubeIcon() {
  return (
    <Icon name="YouTube">
      <path
        fillRule="evenodd"
        d="M6 5h12a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4zm4 4v6l5.2-3z"
      />
    </Icon>
  );
}

export function FacebookIcon() {
  return (
    <Icon name="Facebook">
      <path
        fillRule="evenodd"
        d="M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm-1.3 19.9h3V14h2.4l.5-3h-2.9V9.3c0-.9.4-1.4 1.5-1.4h1.5V5.3c-.6-.1-1.3-.2-2-.2-2.4 0-4 1.4-4 3.9v2H8.2v3h2.5z"
      />
    </Icon>
  );
}

function Icon({ name, children }: { name: string; children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" className="size-5 fill-current" role="img" aria-label={name}>
      {children}
    </svg>
  );
}
