/** The order of queued Works: higher priorities come first, equal ones in order of arrival. */

export interface PrioritySettings {
  /** Added for each minute of age to the priority of a change to a healthy Work. */
  readonly perMinute: number;
  /** The priority of a change to a healthy Work of age 0, before it is limited to 0 to 100. */
  readonly whenNew: number;
}

export const defaultPrioritySettings: PrioritySettings = { perMinute: -3, whenNew: 100 };

/** Of created and deleted Works, and of changes to unhealthy ones. */
export const highestPriority = 100;

const lowestPriorityOfChange = 0;

/** The fields of a Work that its priority depends on. */
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

/** Depends on the Work before the change: changes of healthy Works can wait, those of older ones longer. */
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
