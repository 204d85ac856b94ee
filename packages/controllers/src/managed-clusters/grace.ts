/** OCM's: a cluster is lost when this many reports in a row are missing. */
const missedReports = 5;

const defaultPeriodSeconds = 60;

/** How long after its last report a cluster is lost, if it reports with this period. */
export function graceMs(periodSeconds: number | undefined): number {
  return missedReports * 1000 * (periodSeconds || defaultPeriodSeconds);
}
