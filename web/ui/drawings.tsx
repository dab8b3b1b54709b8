import type { ReactNode } from "react";

/** A laptop, 320 by 216; `children` are drawn on its screen, 228 by 142. */
function LaptopFigure({ children }: { children: ReactNode }) {
  return (
    <g>
      <rect x="36" y="4" width="248" height="174" rx="16" className="fill-lid" />
      <g transform="translate(46 14)">
        <rect width="228" height="142" rx="8" className="fill-secondary" />
        {children}
      </g>
      <circle cx="160" cy="9" r="1.6" className="fill-neutral-content/50" />
      <path d="M8 184h304v6a18 18 0 0 1-18 18H26a18 18 0 0 1-18-18z" className="fill-muted" />
      <path d="M8 184h304v5H8z" className="fill-base-content/25" />
      <path d="M130 184h60v2a6 6 0 0 1-6 6h-48a6 6 0 0 1-6-6z" className="fill-base-content/40" />
    </g>
  );
}

export function ErrorDrawing() {
  return (
    <>
      <ellipse cx="160" cy="244" rx="120" ry="9" className="fill-base-content/8" />
      <g transform="rotate(-9 160 120) translate(0 18)">
        <LaptopFigure>
          <g className="fill-primary">
            <circle cx="84" cy="58" r="7" />
            <circle cx="144" cy="58" r="7" />
          </g>
          <path
            d="M88 96q26-18 52 0"
            fill="none"
            strokeWidth="6"
            strokeLinecap="round"
            className="stroke-primary"
          />
        </LaptopFigure>
      </g>
      <g fill="none" strokeWidth="4" strokeLinecap="round" className="stroke-accent">
        <path d="M286 40l10-12M298 58l15-4M270 28l2-15" />
      </g>
    </>
  );
}

export function EmptyDrawing() {
  return (
    <>
      <ellipse cx="160" cy="226" rx="140" ry="9" className="fill-base-content/8" />
      <g transform="translate(0 12)">
        <LaptopFigure>
          <g fill="none" strokeLinecap="round" strokeWidth="16">
            <rect x="44" y="34" width="140" height="74" rx="37" className="stroke-primary/25" />
            <path d="M81 108h66a37 37 0 0 0 0-74H96" className="stroke-primary" />
            <circle cx="96" cy="34" r="4" className="fill-accent stroke-accent" strokeWidth="8" />
          </g>
        </LaptopFigure>
      </g>
    </>
  );
}
