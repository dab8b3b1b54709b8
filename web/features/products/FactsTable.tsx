import type { Laptop } from "#contract/laptops.ts";
import { factRows } from "./fact-rows.ts";

/** A laptop's known facts, with a mark for those that the machine itself reported. */
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
