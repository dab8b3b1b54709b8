import { expect, test } from "vitest";
import {
  distanceBetween,
  findPlaces,
  kmBetween,
  placeLabel,
  placeOfListing,
  placesWithin,
} from "./places.ts";

test.each([
  ["Portland, OR", "Portland, Oregon"],
  ["portland maine", "Portland, Maine"],
  ["Leeds", "Leeds, England"],
  ["12 High Street, Leeds, UK", "Leeds, England"],
  ["Saint Louis, MO", "St. Louis, Missouri"],
  ["london on", "London, Ontario"],
  ["São Paulo, Brazil", "São Paulo, Brazil"],
  ["New York", "New York City, New York"],
  ["Newcastle upon Tyne, England", "Newcastle upon Tyne, England"],
])("findPlaces reads %s as %s", (text, label) => {
  const [place] = findPlaces(text);
  expect(place && placeLabel(place)).toBe(label);
});

test("a listing has no place if its location names no town or fits several towns of similar size", () => {
  for (const location of [
    "",
    "Behind the station",
    "Springfield",
    "constructor",
    "Portland, Japan",
  ])
    expect(placeOfListing(location), location).toBeUndefined();
  expect(placeOfListing("Springfield, Illinois")?.name).toBe("Springfield");
  expect(placeOfListing("Portland")?.region).toBe("OR");
});

test("distances follow the great circle, even across the date line", () => {
  const [berlin, london] = ["Berlin", "London"].map((name) => findPlaces(name)[0]);
  if (!berlin || !london) throw new Error("no towns");
  expect(distanceBetween(berlin, london)).toBeCloseTo(930, -1);
  const at = (longitude: number) => ({ ...berlin, latitude: 0, longitude });
  expect(distanceBetween(at(179.5), at(-179.5))).toBeCloseTo(111, 0);
  expect(kmBetween("Alexanderplatz, Berlin", "London, UK")).toBe(932);
  expect(kmBetween("Union Station", "London, UK")).toBeNull();
  const near = placesWithin(london, 20);
  expect(near[0]).toEqual({ id: london.id, km: 0 });
  expect(near.every(({ km }, index) => km >= (near[index - 1]?.km ?? 0) && km <= 20)).toBe(true);
  expect(near.length).toBeGreaterThan(20);
});

test.each(["Leeds", "Tromsø", "Suva", "Quito", "Ushuaia"])(
  "placesWithin finds every town within 500 km of %s",
  (name) => {
    const [center] = findPlaces(name);
    if (!center) throw new Error(`no ${name}`);
    const world = placesWithin(center, 20_100);
    expect(world.length).toBeGreaterThan(10_000);
    expect(placesWithin(center, 500)).toEqual(world.filter(({ km }) => km <= 500));
  },
);
