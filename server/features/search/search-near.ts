import { usualWithin } from "#contract/distance.ts";
import { findPlaces, type NearbyPlace, placeLabel, placesWithin } from "../search-index/places.ts";

/** The town that a search is near; `others` are towns of the same name. */
export type SearchPlace = {
  name: string;
  within: number;
  others: string[];
  /** Nearest first, the town itself included. */
  nearby: NearbyPlace[];
};

const mostOthers = 3;

/** The largest town of a name, and what is around it; undefined if the text names no town that we know. */
export function resolveNear({
  near,
  within = usualWithin,
}: {
  near?: string | undefined;
  within?: number | undefined;
}): SearchPlace | undefined {
  const [place, ...others] = near === undefined ? [] : findPlaces(near);
  if (!place) return undefined;
  const labels = new Set(others.map(placeLabel));
  labels.delete(placeLabel(place));
  return {
    name: placeLabel(place),
    within,
    others: [...labels].slice(0, mostOthers),
    nearby: placesWithin(place, within),
  };
}

/** Of more towns the index is asked for the cells they are in. */
const mostPlaceTokens = 100;

/** What the index is asked for to find at least these towns. */
export function placeTokens(places: NearbyPlace[]): string[] {
  return places.length > mostPlaceTokens
    ? [...new Set(places.map(({ area }) => `=area${area}`))]
    : places.map(({ id }) => `=place${id}`);
}
