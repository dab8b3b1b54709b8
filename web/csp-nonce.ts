import { createContext } from "react";

/**
 * While the server renders, a word nobody knows: the inline scripts of ours carry it, and those alone are
 * named in the content policy. It is taken out before the page is sent (`server/pages/pages.ts`).
 */
export const CspNonce = createContext<string | undefined>(undefined);
