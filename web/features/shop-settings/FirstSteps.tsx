import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Answer } from "#contract/call.ts";
import { type FirstStep, readFirstSteps } from "#contract/first-steps.ts";
import { queryOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import "./shop-settings.css";

type Step = Answer<typeof readFirstSteps>[number];

/** `at`: the page where the step is completed, or the environment variables to set. */
type StepText = { title: string; why: string; at: { name: string; to: string } | string };

const shop = { name: "Shop", to: paths.shop() };

const texts: Record<FirstStep, StepText> = {
  name: {
    title: "Name and look",
    why: "A name of your own is on every page and in every email. Add a logo and colors with it.",
    at: shop,
  },
  operator: {
    title: "Who runs the shop",
    why: "Buyers want to know who they deal with, and how to contact them. Name and email are enough here.",
    at: shop,
  },
  cards: {
    title: "Card payments",
    why: "Buyers pay by card through your Stripe account. Without its keys, only test cards work.",
    at: "STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET",
  },
  payouts: {
    title: "Payouts to sellers",
    why: "Sellers get their money through Stripe Connect, which needs those keys and one more.",
    at: "STRIPE_CONNECT_WEBHOOK_SECRET",
  },
  mail: {
    title: "Email",
    why: "Members confirm their address and get updates on their deals by email.",
    at: "SMTP_URL",
  },
  testPurchase: {
    title: "A test purchase",
    why: "Sell a laptop as one member and buy it as another, to see that everything works together. Choose your currency first: it can't change after a booking.",
    at: { name: "Payments", to: paths.payments() },
  },
};

export function FirstSteps() {
  const found = useQuery(queryOf(readFirstSteps, {}));
  return (
    <QueryState query={found} skeleton={<div className="skeleton h-96 rounded-box" />}>
      {(steps) => (
        <div className="flex max-w-3xl flex-col gap-6">
          <Progress steps={steps} />
          <ol className="flex flex-col gap-3">
            {steps.map((step, index) => (
              <StepItem key={step.step} {...step} number={index + 1} />
            ))}
          </ol>
        </div>
      )}
    </QueryState>
  );
}

function Progress({ steps }: { steps: Step[] }) {
  const done = steps.filter((step) => stateOf(step) === "Done").length;
  if (done < steps.length)
    return <p className="font-medium">{`${done} of ${steps.length} done`}</p>;
  return (
    <section className="rounded-box bg-secondary p-5 text-secondary-content">
      <h2 className="text-heading">Your shop is ready</h2>
      <p className="mt-1">
        {`If it is closed, open it on the page Shop. Then invite sellers: send them the link ${location.origin}${paths.signUp()}.`}
      </p>
    </section>
  );
}

function StepItem({ number, ...step }: Step & { number: number }) {
  const { title, why, at } = texts[step.step];
  const state = stateOf(step);
  return (
    <li className="flex gap-4 rounded-box border border-line bg-base-100 px-5 py-4">
      <span className="first-step-state" data-state={state}>
        <span className="sr-only">{state}</span>
        {state === "To do" ? (
          <span aria-hidden="true">{number}</span>
        ) : (
          <Icon name={state === "Done" ? "check" : "x"} className="size-4.5" />
        )}
      </span>
      <div className="min-w-0">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-muted">{why}</p>
        {step.problem !== null && (
          <p className="user-text mt-1 font-medium text-error">{step.problem}</p>
        )}
        {typeof at === "string" ? (
          <p className="user-text mt-1">{`Settings: ${at}`}</p>
        ) : (
          <Link to={at.to} className="link mt-1 inline-block">{`Go to ${at.name}`}</Link>
        )}
      </div>
    </li>
  );
}

function stateOf({ isDone, problem }: Step): "Done" | "To do" | "Problem" {
  if (problem !== null) return "Problem";
  return isDone ? "Done" : "To do";
}
