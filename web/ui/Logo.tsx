import { useShop } from "#web/ui/use-shop.ts";

export function Logo() {
  const { name, logo } = useShop();
  if (logo) return <img src={logo} alt={name} className="h-8" />;
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" className="size-8" aria-hidden="true">
        <rect width="32" height="32" rx="9.5" className="fill-deep" />
        <g fill="none" strokeWidth="2.8" strokeLinecap="round" className="stroke-deep-content">
          <rect x="6.5" y="7" width="19" height="12" rx="6" strokeOpacity=".35" />
          <path d="M6.5 13a6 6 0 0 1 6-6h7a6 6 0 0 1 6 6M5.5 24.5h21" />
        </g>
        <circle cx="25.5" cy="13" r="2.7" className="fill-accent" />
      </svg>
      <span className="logo-name font-bold font-display text-[1.375rem] tracking-[-0.035em]">
        {name}
      </span>
    </span>
  );
}
