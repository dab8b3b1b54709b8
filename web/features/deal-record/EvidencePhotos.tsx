import type { ReactNode } from "react";
import type { PrivatePhoto } from "#contract/private-photos.ts";
import { privatePhotoQuery } from "#web/api/private-photos.ts";
import { PrivatePhotos } from "#web/domain/photos/PrivatePhotos.tsx";
import { ListingPhotos } from "./ListingPhotos.tsx";

type EvidencePhotosProps = {
  listingPhotos: string[];
  privatePhotos: PrivatePhoto[];
  children: ReactNode;
};

/** Shows the photos that are sent to the bank with the evidence. */
export function EvidencePhotos({ listingPhotos, privatePhotos, children }: EvidencePhotosProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium">Photos</legend>
      <p className="text-muted text-sm">
        Of the listing as it was booked, the messages and the complaint. The bank gets them as one
        picture that says below each what it shows.
      </p>
      <ListingPhotos images={listingPhotos} />
      <PrivatePhotos photos={privatePhotos} of="this deal" query={privatePhotoQuery} />
      {children}
    </fieldset>
  );
}
