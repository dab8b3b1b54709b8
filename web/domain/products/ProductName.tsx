import { UserText } from "../../ui/UserText.tsx";

/** For a name such as "MacBook Air 13 M4, 16 GB, 256 GB". The comma is for screen readers only. */
export function ProductName({ name }: { name: string }) {
  const [model = "", ...parts] = name.split(", ");
  if (parts.length === 0) return <UserText>{name}</UserText>;
  return (
    <>
      <UserText>{model}</UserText>
      <span className="comma">, </span>
      <bdi className="product-parts">{parts.join(", ")}</bdi>
    </>
  );
}
