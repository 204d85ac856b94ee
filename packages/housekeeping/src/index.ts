export { startHousekeeping, type Housekeeping, type HousekeepingOptions } from './start-housekeeping.ts';
export type { CheckPolicyTypes } from './policy-types/decide.ts';
export type { SignToken, TokenSubject } from './token-secrets/decide.ts';
export type { SignCertificate, WantedCertificate } from './certificate-requests/certificate-requests.ts';
