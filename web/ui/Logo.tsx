/** Our mark: a laptop whose screen is a lap, run once round and going on. */
export function LogoMark({ className = "size-8" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="9.5" className="fill-primary" />
      <g
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-primary-content"
      >
        <path d="M9.5 19.5v-7a4 4 0 0 1 4-4h5a4 4 0 0 1 4 4v5.5" />
        <path d="M19.4 15.2l3.1 3.1 3.1-3.1" />
        <path d="M6.5 24h19" className="stroke-accent" />
      </g>
    </svg>
  );
}

/** Mark and name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <LogoMark />
      <span className="font-bold font-display text-[1.375rem] tracking-[-0.035em]">Secondlap</span>
    </span>
  );
}
