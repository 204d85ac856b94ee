/** How much of a request its audit event records, from nothing to the bodies of request and response. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;

export type AuditLevel = (typeof auditLevels)[number];

export function isBelow(level: AuditLevel, other: AuditLevel): boolean {
  return auditLevels.indexOf(level) < auditLevels.indexOf(other);
}
