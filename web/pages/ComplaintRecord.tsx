import { useQuery } from "@tanstack/react-query";
import { readDealRecord } from "#contract/deal-records.ts";
import { queryOf } from "#web/api/api.ts";
import { DealRecordView, ListingPhotos } from "#web/features/deal-record/DealRecordView.tsx";
import { DealMessages } from "#web/features/messages/AdminMessages.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";

export default function ComplaintRecord({ bookingId }: { bookingId: string }) {
  const deal = useQuery(queryOf(readDealRecord, { params: { id: bookingId } }));
  return (
    <QueryState query={deal} skeleton={<Spinner />}>
      {(found) => (
        <div className="mt-6 flex flex-col gap-6">
          <DealRecordView deal={found} messages={<DealMessages deal={found} />} />
        </div>
      )}
    </QueryState>
  );
}

export function BookedPhotos({ bookingId }: { bookingId: string }) {
  const { data: deal } = useQuery(queryOf(readDealRecord, { params: { id: bookingId } }));
  if (!deal?.listing) return null;
  return (
    <div>
      <p className="text-muted text-sm">The listing as it was booked</p>
      <ListingPhotos images={deal.listing.images} />
    </div>
  );
}
