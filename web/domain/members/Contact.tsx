import { EmailText } from "../../ui/EmailText.tsx";

type ContactProps = { who: string; name: string; phone: string; email: string };

export function Contact({ who, name, phone, email }: ContactProps) {
  return (
    <p>
      {who}: <bdi>{name}</bdi>,{" "}
      <a href={`tel:${phone.replace(/[^+\d]/g, "")}`} className="link whitespace-nowrap">
        {phone}
      </a>
      ,{" "}
      <a href={`mailto:${email}`} className="link inline-block">
        <EmailText>{email}</EmailText>
      </a>
    </p>
  );
}
