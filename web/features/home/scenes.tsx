import type { ReactNode } from "react";
import { LapTrack, LaptopFigure } from "#web/ui/drawings.tsx";

/** A laptop with its lap on the screen. */
export function WelcomeScene() {
  return (
    <Scene>
      <circle cx="200" cy="150" r="136" className="fill-deep-content/10" />
      <circle cx="200" cy="150" r="104" className="fill-deep-content/10" />
      <g transform="translate(40 52)">
        <LaptopFigure>
          <LapTrack />
        </LaptopFigure>
      </g>
      <g className="fill-accent">
        <circle cx="344" cy="62" r="9" />
        <circle cx="52" cy="236" r="6" />
      </g>
    </Scene>
  );
}

/** A laptop with a tag that says it is taken, and a card to pay with. */
export function HoldScene() {
  return (
    <Scene>
      <circle cx="200" cy="150" r="136" className="fill-base-100/25" />
      <g transform="translate(40 40)">
        <LaptopFigure>
          <path
            d="M114 32l38 13v27c0 22-16 36-38 44-22-8-38-22-38-44V45z"
            className="fill-primary"
          />
          <path
            d="M97 72l12 12 23-24"
            fill="none"
            strokeWidth="8"
            strokeLinecap="round"
            strokeLinejoin="round"
            className="stroke-primary-content"
          />
        </LaptopFigure>
      </g>
      <g transform="translate(232 188) rotate(-10)">
        <rect width="140" height="88" rx="12" className="fill-base-100" />
        <rect y="18" width="140" height="16" className="fill-neutral" />
        <rect x="14" y="50" width="52" height="8" rx="4" className="fill-line" />
        <rect x="14" y="66" width="34" height="8" rx="4" className="fill-line" />
        <circle cx="104" cy="64" r="12" className="fill-accent" />
        <circle cx="118" cy="64" r="12" className="fill-primary/70" />
      </g>
    </Scene>
  );
}

/** A laptop with its price on a tag. */
export function SellScene() {
  return (
    <Scene>
      <circle cx="200" cy="150" r="136" className="fill-primary/10" />
      <g transform="translate(40 52)">
        <LaptopFigure>
          <g className="fill-primary/25">
            <rect x="20" y="22" width="84" height="98" rx="10" />
            <rect x="120" y="26" width="88" height="12" rx="6" />
            <rect x="120" y="50" width="60" height="9" rx="4.5" />
            <rect x="120" y="68" width="72" height="9" rx="4.5" />
          </g>
          <rect x="120" y="94" width="60" height="24" rx="12" className="fill-primary" />
        </LaptopFigure>
      </g>
      <g transform="translate(286 34) rotate(14)">
        <path d="M0 26L28 0h64a8 8 0 0 1 8 8v36a8 8 0 0 1-8 8H28z" className="fill-accent" />
        <circle cx="27" cy="26" r="6" className="fill-base-100" />
        <path
          d="M66 15c-10-5-20 0-17 6 3 7 18 3 18 11 0 6-11 9-19 4M57 10v33"
          fill="none"
          strokeWidth="4"
          strokeLinecap="round"
          className="stroke-accent-content"
        />
      </g>
    </Scene>
  );
}

function Scene({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 400 300" aria-hidden="true" className="h-auto w-full">
      {children}
    </svg>
  );
}
