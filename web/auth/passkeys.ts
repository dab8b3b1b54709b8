import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { callIdentityService } from "../api/identity-client.ts";

const webauthn = () => import("@simplewebauthn/browser");

export async function addPasskey({ name }: { name: string }): Promise<void> {
  const optionsJSON = await callPasskeyService("generate-register-options");
  const { startRegistration } = await webauthn();
  const response = await startRegistration({
    optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON,
  }).catch(withMessage("No passkey was created. Try again when you're ready."));
  await callPasskeyService("verify-registration", { name, response });
}

export async function logInWithPasskey(): Promise<void> {
  const answer = await callPasskeyService("generate-authenticate-options");
  const optionsJSON = answer as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await webauthn();
  const response = await startAuthentication({
    optionsJSON: { ...optionsJSON, userVerification: "required" },
  }).catch(withMessage("No passkey was used. Try again, or log in another way."));
  await callPasskeyService("verify-authentication", { response });
}

export async function removePasskey({ id }: { id: string }): Promise<void> {
  await callPasskeyService("delete-passkey", { id });
}

async function callPasskeyService(path: string, body?: object): Promise<unknown> {
  return await callIdentityService(`/passkey/${path}`, body, messages);
}

/** Browsers don't tell these cases apart: canceled, timed out, or no passkey. */
function withMessage(otherwise: string) {
  return (error: Error): never => {
    if (error.name !== "InvalidStateError") throw new Error(otherwise, { cause: error });
    throw new Error("This device already has a passkey for your account.", { cause: error });
  };
}

const messages: Record<string, string> = {
  AUTHENTICATION_FAILED: "That passkey didn't work. Try again, or log in another way.",
  CHALLENGE_NOT_FOUND: "That took too long. Please try again.",
  FAILED_TO_VERIFY_REGISTRATION: "We couldn't add the passkey. Please try again.",
  INVALID_INPUT: "Give the passkey a name.",
  PASSKEY_NOT_FOUND: "This passkey was removed from your account. Log in another way.",
  SECOND_FACTOR_NOT_SHOWN: "To change this, sign out and log in again with your passkey or code.",
  SESSION_NOT_FRESH: "Sign out and log in again before you add a passkey.",
  USER_NOT_VERIFIED:
    "Your device needs a PIN, a fingerprint or face recognition. Set one up and try again.",
};
