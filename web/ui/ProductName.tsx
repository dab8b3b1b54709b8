import { UserText } from "./UserText.tsx";

/**
 * A laptop's name as sellers write it, "MacBook Air 13 M4, 16 GB, 256 GB": what it is on the first line,
 * what is in it, smaller, below. The comma between them is read, and not shown.
 */
export function ProductName({ name }: { name: string }) {
  const [model = "", ...parts] = name.split(", ");
  if (parts.length === 0) return <UserText>{name}</UserText>;
  return (
    <>
      <UserText>{model}</UserText>
      <span className="text-[0px]">, </span>
      <span className="product-parts">
        <UserText>{parts.join(", ")}</UserText>
      </span>
    </>
  );
}
