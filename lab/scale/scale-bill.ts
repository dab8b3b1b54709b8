import { bytes, markdown, number } from "./scale-text.ts";

/** The measured needs of a shop of a given size. Rates are per second. */
export type Measured = Record<
  | "laptops"
  | "views"
  | "bookings"
  | "requests"
  | "laptop"
  | "seller"
  | "lists"
  | "search"
  | "nodeCores"
  | "readCores"
  | "saleCores"
  | "databaseBytes"
  | "indexBytes"
  | "walBytes"
  | "keptBytes"
  | "keptIndexBytes"
  | "auditBytes"
  | "jobs"
  | "pageBytes",
  number
>;

/** List prices in dollars for the region us-east-1, each with its source. */
const prices = {
  /**
   * An m7g.large with 2 cores and 8 GB costs $0.0816 an hour.
   * https://www.factualminds.com/blog/amazon-ec2-on-demand-pricing-instance-families-2026/
   */
  core: 0.0816 / 2,
  /** EBS gp3, per GB and month: https://taourl.com/read-2670558.html */
  disk: 0.08,
  /**
   * S3 Standard, per GB and month.
   * https://devnotes.tech/understanding-aws-s3-pricing-a-complete-cost-breakdown-with-examples
   */
  object: 0.023,
  /** 10,000 HTTPS requests: https://wring.co/blog/aws-cloudfront-pricing-guide */
  requests: 0.01,
};

/**
 * CDN traffic to the United States and Europe: the TB a month in each price tier, and the tier's
 * dollars per GB (http://aws.amazon.com/cloudfront/pricing).
 */
const transfer = [
  [10, 0.085],
  [40, 0.08],
  [100, 0.06],
  [350, 0.04],
  [524, 0.03],
  [4_000, 0.025],
  [Number.POSITIVE_INFINITY, 0.02],
] as const;

const hours = 730;
const month = hours * 3_600;
/** The planned utilization of cores. */
const busy = 0.5;
const gigabyte = 1e9;
/**
 * Bytes and objects per photo with its smaller versions, from the demo's 96 photos (`npm start`,
 * `.data/images`).
 */
export const photo = { bytes: 13_993_267 / 96, objects: 672 / 96 };
/** Assumptions: how many photos a page view loads from the CDN, and the bytes of each photo. */
const shown = { photos: 8, bytes: 20_000 };

function transferCost(gigabytes: number): number {
  let [left, dollars] = [gigabytes, 0];
  for (const [terabytes, price] of transfer) {
    const part = Math.min(left, terabytes * 1_000);
    dollars += part * price;
    left -= part;
  }
  return dollars;
}

/** The lines of a monthly bill: item, quantity, dollars. */
function linesOf(shop: Measured): [string, string, number][] {
  const program = Math.max(4, shop.nodeCores / busy);
  const memory = shop.indexBytes / gigabyte;
  const primaryCores = Math.max(4, memory / 4, shop.readCores / busy, shop.saleCores / busy);
  const monthlyBytes = 3 * shop.keptBytes * (month / 86_400);
  const monthlyPhotos = shop.bookings * month * photo.bytes;
  const traffic = (shop.views * month * (shop.pageBytes + shown.photos * shown.bytes)) / gigabyte;
  return [
    ["nodes", `${number(program)} cores`, program * hours * prices.core],
    [
      "primary and its synchronous replica: as many cores as the replicas' reads or the sales need, and 4 GB a core for the indexes",
      `2 × ${number(primaryCores)} cores`,
      2 * primaryCores * hours * prices.core,
    ],
    [
      "disks: 3 × the database, and a week of the log and of backups",
      bytes(3 * shop.databaseBytes + 7 * 86_400 * shop.walBytes),
      ((3 * shop.databaseBytes + 7 * 86_400 * shop.walBytes) / gigabyte) * prices.disk,
    ],
    [
      "photos on S3",
      bytes(shop.laptops * photo.bytes),
      ((shop.laptops * photo.bytes) / gigabyte) * prices.object,
    ],
    [
      "more with each month: 3 × what sales leave, and their photos",
      bytes(monthlyBytes + monthlyPhotos),
      (monthlyBytes * prices.disk + monthlyPhotos * prices.object) / gigabyte,
    ],
    ["CDN, bytes", bytes(traffic * gigabyte), transferCost(traffic)],
    [
      "CDN, requests: views × (1 page + 8 photos)",
      number(shop.views * month * (1 + shown.photos)),
      ((shop.views * month * (1 + shown.photos)) / 10_000) * prices.requests,
    ],
  ];
}

/** Monthly bills for shops of growing size. */
export function monthlyBill(shops: Measured[]): string {
  const all = shops.map(linesOf);
  const dollars = (value: number) => `$${number(value)}`;
  const rows = (all[0] ?? []).map(([what], line) => [
    what,
    ...all.map((lines) => `${lines[line]?.[1]}: ${dollars(lines[line]?.[2] ?? 0)}`),
  ]);
  const total = all.map((lines) => dollars(lines.reduce((sum, [, , cost]) => sum + cost, 0)));
  return markdown(
    ["a month", ...shops.map(({ laptops }) => `${number(laptops)} laptops`)],
    [...rows, ["all", ...total]],
  );
}
