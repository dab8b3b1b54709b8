import { createContext } from "react";

/**
 * The CSP nonce of the inline scripts during server rendering. It is removed before the page is cached
 * (`server/pages/pages.ts`).
 */
export const CspNonce = createContext<string | undefined>(undefined);
