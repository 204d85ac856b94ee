import { noAdmission } from '../../admission/default-admission.ts';
import type { Server } from '../../call/server.ts';

/** Admission does not apply to writes of the server's own controllers. */
export function withoutAdmission(server: Server): Server {
  return { ...server, ...noAdmission };
}
