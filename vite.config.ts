import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { iconSprite } from "./web/vite/icon-sprite.ts";
import { pageLoader } from "./web/vite/page-loader.ts";
import { plainContract } from "./web/vite/plain-contract.ts";
import { shrinkManifest, unusedRouterParts } from "./web/vite/small-router.ts";

/**
 * Which modules share a file. By default, the bundler makes a file for every few lines that two
 * pages share. The first page then loads 47 files, and each request costs more than its content.
 */
const fewFiles = {
  groups: [
    {
      name: "libraries",
      test: isOfLibraries,
      priority: 3,
    },
    { name: "app", test: isOfEveryPage, priority: 2 },
    // For the laptop page and the product form. Otherwise, the laptop page would load the form.
    {
      name: "facts",
      test: /plain-contract:facts\.|\/(?:fact-rows|FairPrice)\.tsx?$/,
      priority: 2,
    },
    { name: "forms", test: isOfForms, priority: 1 },
    { name: "auth", test: isOfSigningIn, priority: 1 },
    { name: "saved", test: /plain-contract:(saved-products|laptop-page|bookings)\./, priority: 1 },
    { name: "listing", test: isOfListing, priority: 1 },
    { name: "search", test: isOfSearch, priority: 1 },
    { name: "save", test: /\/SaveButton\.tsx$/, priority: 2 },
    // Short texts for the laptop and seller pages.
    { name: "texts", test: /\/(seller-texts|shorten|start\/missing)\.tsx?$/, priority: 2 },
    // Separate from `forms`, because pages without forms also open confirmation dialogs.
    {
      name: "dialogs",
      test: /\/ui\/(ConfirmButton|Dialog)\.tsx$/,
      priority: 2,
    },
    { name: "dashboard", test: /\/(EmailText|deals\/ToDo|meeting-text)\.tsx?$/, priority: 2 },
    { name: "offers", test: /\/(OfferCard|OfferList)\.tsx$/, priority: 2 },
    { name: "markup", test: /\/start\/markup\.tsx$/, priority: 2 },
    // Otherwise, the list of reported items would load the stars.
    { name: "dialog-button", test: /\/DialogButton\.tsx$/, priority: 2 },
    { name: "stars", test: /\/(Stars|ReportReview)\.tsx$/, priority: 2 },
    // Separate from the form library, because forms without the library use drafts, too.
    { name: "drafts", test: /\/ui\/drafts\.ts$/, priority: 2 },
    // A few pages use each of these files. Otherwise, the whole dashboard would load them.
    { name: "few-pages", test: /\/(TakeDownButton|AddRole)\.tsx$/, priority: 2 },
    { name: "deals", test: /\/domain\/(deals\/DealProgress|members\/Contact)\.tsx$/, priority: 2 },
    { name: "table", test: /\/ui\/(DataTable|QueryTable|DateTime)\.tsx$/, priority: 2 },
    { name: "time-left", test: /\/ui\/TimeLeft\.tsx$/, priority: 2 },
    { name: "verified", test: /\/VerifiedIcon\.tsx$/, priority: 2 },
    { name: "drawings", test: /\/ui\/drawings\.tsx$/, priority: 2 },
    { name: "breadcrumbs", test: /\/Breadcrumbs\.tsx$/, priority: 2 },
    // Otherwise, the dashboards would load the forms that make and answer offers.
    {
      name: "to-do",
      test: /plain-contract:(offers\.ts:listOffers|payouts\.ts:readPayoutAccount)$/,
      priority: 3,
    },
    // Otherwise, the lists of members would load these files.
    {
      name: "admin",
      test: /plain-contract:needs-you\.|\/admin-paths\.ts$|\/QueueLinks\.tsx$/,
      priority: 2,
    },
    { name: "complaints", test: /\/complaint-words\.ts$/, priority: 2 },
    { name: "product-form", test: isOfProductForm, priority: 1 },
    {
      name: "shared",
      test: isNotOfFewPages,
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 2_000,
    },
  ],
};

/** Short file names without words, because every page loads a list of file names. */
const fileNames = "assets/[hash:7].js";

/** Keeps the name of the Firebase file, because a test looks for that name. */
function chunkFileName({ name }: { name: string }): string {
  return name.startsWith("firebase") ? "assets/[name]-[hash:7].js" : fileNames;
}

function assetFileName({ names: [name = ""] }: { names: string[] }): string {
  return name.endsWith(".css") ? "assets/[hash:7].css" : "assets/[name]-[hash][extname]";
}

/** Whether every page needs the library file. Only sign-in pages hydrate queries. */
function isOfLibraries(file: string): boolean {
  return (
    /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\//.test(file) &&
    !isOfHydratedQueries(file)
  );
}

function isOfHydratedQueries(file: string): boolean {
  return /\/@tanstack\/[\w/-]+\/(hydration|HydrationBoundary)\.js$/.test(file);
}

function isOfEveryPage(file: string): boolean {
  return (
    /\/contract\/(call-resources|client|image-sources|page-paths|price|roles|shop)\.|plain-contract:(categories\.ts:list|invitations\.ts:inviteFriend|(config|page-paths)\.)|plain-contract:products\.ts:(?!(add|edit|delete|takeDown)Product|toggleAdvertise)/.test(
      file,
    ) ||
    /\/web\/(page-meta|paths|api\/(?!upload-photo|private-photos|password|firebase|identity-errors|live-changes)[\w-]+|auth\/(guard|session))\.ts$/.test(
      file,
    ) ||
    /\/(features\/site\/(ErrorScreen|Header)|domain\/products\/ProductName|start\/server-render)\.tsx?$/.test(
      file,
    ) ||
    /\/ui\/(Avatar|Button|clear-drafts|format-dates-and-counts|Icon|illustrations|Link|Logo|Notice|PageHeading|Photo|QueryState|Spinner|toast|Toaster|use-hydrated)\.tsx?$/.test(
      file,
    )
  );
}

function isOfSearch(file: string): boolean {
  return /\/features\/search\/|\/pages\/search-results\.tsx$/.test(file);
}

function isOfListing(file: string): boolean {
  return /\/(product-dialogs|product-listing|ProductGrid|JsonLd|BookAndReport)\.tsx$/.test(file);
}

function isOfProductForm(file: string): boolean {
  return /react-easy-crop|normalize-wheel|\/(ListingForm|FactsFields|FairPriceHint|ListingPhotosField|PhotoField|photo-uploads|product-form|ModelField|Combobox|MachineImport)\.tsx?$/.test(
    file,
  );
}

/** Whether the file is for sign-in pages. Profile uses some of these files, too. */
function isOfSigningIn(file: string): boolean {
  if (isOfHydratedQueries(file)) return true;
  return /\/(auth-card|ProviderButtons|provider-sign-in|passkey-support|return-path|sign-in)\.tsx?$/.test(
    file,
  );
}

/** Whether the file is for forms. Only a few pages need the contracts that the pattern excludes. */
function isOfForms(file: string): boolean {
  return /react-hook-form|@hookform|\/zod\/|\/contract\/(?!(?:emails|shop-settings)\.)|\/(Form|PasswordFields?|use-zod-form|upload-photo)\.tsx?$/.test(
    file,
  );
}

/** Whether the file may join files that many pages load. Code for a few pages stays out. */
function isNotOfFewPages(file: string): boolean {
  return !/plain-contract:(members|invitations|invitation-rules)\.|\/uqr\/|\/stars\.css$|\/(Banners|InformationArticle|kept-invitation|EmailsCheckbox|OfferList|OfferCard|PrivatePhotos|PhotoAttachments|object-url|shrink-photo|private-photos|AdminMessages|MessageLog|DealRecordView|live-changes|admin-paths|admin-search|MembersTable|DemoInbox|ConfirmIdentity|passkeys|second-factor|QrCode)\.tsx?$/.test(
    file,
  );
}

export default defineConfig(({ command }) => ({
  publicDir: "web/public",
  plugins: [
    plainContract(),
    unusedRouterParts(),
    // Vite minifies the styles, for the browsers in `cssTarget`.
    tailwindcss({ optimize: false }),
    reactRouter(),
    iconSprite(),
    pageLoader(),
    compressedBeside(),
  ],
  build: { cssTarget: ["chrome120", "firefox121", "safari17.2"] },
  environments: {
    // Bundles the packages, so that React's production code runs regardless of NODE_ENV at startup.
    // In development, Vite can't load their CommonJS modules.
    ssr:
      command === "build"
        ? { resolve: { noExternal: true }, define: { "process.env.NODE_ENV": '"production"' } }
        : {},
    client: {
      build: {
        // Files must not import each other in a cycle (server/pages/page-weight.test.ts).
        rolldownOptions: {
          output: {
            codeSplitting: fewFiles,
            chunkFileNames: chunkFileName,
            entryFileNames: fileNames,
            assetFileNames: assetFileName,
          },
        },
      },
    },
  },
  // Scans all pages at startup, so that newly found packages don't reload the browser.
  optimizeDeps: { entries: ["web/root.tsx", "web/pages/*.tsx"] },
}));

function compressedBeside(): Plugin {
  return {
    name: "compressed-beside",
    apply: "build",
    // The server's build runs second, and adds the list of routes to the browser's files.
    applyToEnvironment: ({ name }) => name === "ssr",
    async writeBundle() {
      const dir = "build/client";
      await shrinkManifest(dir);
      const compressing: Promise<void>[] = [];
      for await (const file of glob("**/*.{js,css,svg,webmanifest}", { cwd: dir })) {
        compressing.push(compress(join(dir, file)));
      }
      await Promise.all(compressing);
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}
