/** Which Work comes first when many wait. Higher comes first; among equals, who came first. */

export interface PrioritySettings {
  /** By how much a minute of age changes the priority of a change to a healthy Work. */
  readonly perMinute: number;
  /** The priority of a change to a healthy Work that was just created, before it is held between 0 and 100. */
  readonly whenNew: number;
}

export const defaultPrioritySettings: PrioritySettings = { perMinute: -3, whenNew: 100 };

/** Of Works that come, that go, and that change while they are not well. */
export const highestPriority = 100;

const lowestPriorityOfChange = 0;

/** What is asked of a Work. */
export interface RankedWork {
  readonly metadata: {
    readonly generation?: number | undefined;
    readonly creationTimestamp?: string | null | undefined;
  };
  readonly spec?: {
    readonly applyStrategy?: { readonly type?: string | undefined } | undefined;
  };
  readonly status?:
    | {
        readonly conditions?:
          | readonly {
              readonly type: string;
              readonly status: string;
              readonly observedGeneration?: number | undefined;
            }[]
          | undefined;
      }
    | undefined;
}

/** Of a change, by how the Work was before it: what is healthy can wait, the longer it has been there the better. */
export function priorityOfChange(old: RankedWork, now: Date, settings = defaultPrioritySettings): number {
  if (!isHealthy(old)) return highestPriority;
  const ageMs = now.getTime() - Date.parse(old.metadata.creationTimestamp ?? '1970-01-01T00:00:00Z');
  const priority = settings.perMinute * Math.trunc(ageMs / 60_000) + settings.whenNew;
  return Math.min(Math.max(priority, lowestPriorityOfChange), highestPriority);
}

function isHealthy(work: RankedWork): boolean {
  const needed = work.spec?.applyStrategy?.type === 'ReportDiff' ? ['DiffReported'] : ['Applied', 'Available'];
  return needed.every((type) => isTrueNow(work, type));
}

function isTrueNow({ metadata: { generation = 0 }, status }: RankedWork, type: string): boolean {
  const condition = status?.conditions?.find((each) => each.type === type);
  return condition?.status === 'True' && (condition.observedGeneration ?? 0) === generation;
}
