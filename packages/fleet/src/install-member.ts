import { createHash } from 'node:crypto';
import { memberDefinitions } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { stringifyJson, type JsonValue } from '@flotilla/kube';
import { installNodes, installStorageClass, type NodeShape } from '@flotilla/simulator';
import type { Clock } from '@flotilla/timing';
import type { Install } from './embedded-servers.ts';
import { defaultMemberShape } from './file/fleet-shape.ts';
import { installDefinitions } from './install-definitions.ts';
import { readPreparedFile, type ReadPrepared } from './prepared/prepared-files.ts';

interface InstallMemberOptions {
  /** Whether the member is about to leave the fleet: its objects stay as they are. */
  readonly isLeaving?: boolean;
  /** Default: from files beside the bundle. */
  readonly prepared?: ReadPrepared | undefined;
}

/** Installs nodes, a storage class, and the CRD AppliedWork for the agent. */
export function installMember(
  clock: Clock,
  nodes: readonly NodeShape[],
  { isLeaving = false, prepared = readPreparedFile }: InstallMemberOptions = {},
): Install {
  const template = templateOf(nodes);
  const installShape = async (client: Client): Promise<void> => {
    if (!isLeaving) await installNodes(client, new Date(clock.now()), nodes);
  };
  const installRest = async (client: Client): Promise<void> => {
    const definitions = installDefinitions(client, await memberDefinitions());
    await Promise.all([definitions, isLeaving ? undefined : installStorageClass(client)]);
  };
  return {
    template,
    installShape,
    installRest,
    install: async (client) => {
      await Promise.all([installRest(client), installShape(client)]);
    },
    ...(template === '' && !isLeaving && { prepared: () => prepared('member') }),
  };
}

/** Members with the same nodes start from the same objects. */
function templateOf(nodes: readonly NodeShape[]): string {
  const text = stringifyJson(nodes as unknown as JsonValue);
  return text === defaultNodesText ? '' : createHash('sha256').update(text).digest('hex').slice(0, 12);
}

const defaultNodesText = stringifyJson(defaultMemberShape('').nodes as unknown as JsonValue);
