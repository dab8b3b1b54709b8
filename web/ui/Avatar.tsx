type AvatarProps = {
  name: string;
  photo: string | null;
  size: keyof typeof sizes;
};

const sizes = { small: "size-9 text-base", large: "size-24 text-4xl" };

/** Screen readers skip the avatar, because nearby text or its link's label gives the name. */
export function Avatar({ name, photo, size }: AvatarProps) {
  return (
    <span className={`avatar ${sizes[size]}`} aria-hidden="true">
      {photo === null ? (
        name.trim().slice(0, 1).toUpperCase()
      ) : (
        <img src={photo} alt="" width={256} height={256} className="size-full object-cover" />
      )}
    </span>
  );
}
