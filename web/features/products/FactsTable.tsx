import type { Laptop } from "#contract/laptops.ts";
import { factRows } from "./fact-rows.ts";

/** The known facts about a laptop, and which of them the machine reported. */
export function FactsTable({ laptop }: { laptop: Laptop }) {
  return (
    <table className="facts-table">
      <caption>Stated by the seller, unless marked as reported by the machine.</caption>
      <tbody>
        {factRows(laptop).map(({ label, value, isFromMachine }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td dir="auto">
              {value}
              {isFromMachine && <small> Reported by the machine</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
