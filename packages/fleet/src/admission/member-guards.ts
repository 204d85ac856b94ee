/** Members may update one finalizer of their Works, and report statuses. RBAC cannot restrict an update to a field. */
import { internalMemberClusters, memberNamespace, works } from '@flotilla/api';
import { bindingOfMemberIn, isMember, keptOwners, refusedReport, refusedWorkChange } from '@flotilla/controllers';
import { quote, roleBindings, type RoleBinding } from '@flotilla/kube';
import type { Change, FleetCheck, FleetRequest, Outcome, Refusal } from './fleet-check.ts';

const update = ['UPDATE'] as const;
const inMemberNamespace = `request.namespace.startsWith(${quote(memberNamespace(''))})`;

/** Members cannot change entries of other field managers. */
const memberOwners: FleetCheck = {
  webhook: 'fleet.members.owners',
  phase: 'default',
  isGuard: true,
  kinds: [works, internalMemberClusters].map((kind) => ({ kind, subresources: ['', 'status'], operations: update })),
  condition: inMemberNamespace,
  decide: (request) => {
    const { object, oldObject, subresource } = request;
    if (!object || !oldObject) return undefined;
    const owners = keptOwners(oldObject.metadata.managedFields ?? [], object.metadata.managedFields ?? [], subresource);
    if (owners === undefined) return undefined;
    return ifByMember(request, { change: { metadata: { ...object.metadata, managedFields: owners } } });
  },
};

const memberWorks: FleetCheck = {
  webhook: 'fleet.members.works',
  phase: 'check',
  isGuard: true,
  kinds: [{ kind: works, subresources: [''], operations: update }],
  condition: inMemberNamespace,
  decide: (request) => {
    const { object, oldObject } = request;
    const refusal = object && oldObject && refusedWorkChange(oldObject, object);
    return refusal === undefined ? undefined : ifByMember(request, { refusal });
  },
};

/** Limits the size of what members report. */
const memberReports: FleetCheck = {
  webhook: 'fleet.members.reports',
  phase: 'check',
  isGuard: true,
  kinds: [{ kind: internalMemberClusters, subresources: ['', 'status'], operations: update }],
  condition: inMemberNamespace,
  decide: (request) => {
    const refusal = refusedReport(request.object?.['status']);
    return refusal === undefined ? undefined : ifByMember(request, { refusal });
  },
};

/** Reads the RoleBinding only for a write that a member must not do. */
function ifByMember({ namespace, user }: FleetRequest, outcome: Refusal | Change): Outcome {
  const key = bindingOfMemberIn(namespace);
  if (key === undefined) return undefined;
  return {
    reads: [{ read: 'object', kind: roleBindings, key }],
    decideWith: ([found]) => {
      const [binding] = found?.objects ?? [];
      return binding !== undefined && isMember(binding as RoleBinding, user) ? outcome : undefined;
    },
  };
}

export const memberGuards: readonly FleetCheck[] = [memberOwners, memberWorks, memberReports];
