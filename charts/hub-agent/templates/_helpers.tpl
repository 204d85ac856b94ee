{{- define "hub-agent.selectorLabels" -}}
app.kubernetes.io/name: hub-agent
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "hub-agent.labels" -}}
{{ include "hub-agent.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "hub-agent.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end }}

{{- define "hub-agent.user" -}}
system:serviceaccount:{{ .Values.namespace }}:hub-agent-sa
{{- end }}

{{/* The flags of `flotilla hub`, without those that are empty. */}}
{{- define "hub-agent.args" -}}
{{- $values := .Values }}
{{- $flags := dict
  "leader-elect" true
  "leader-election-namespace" $values.namespace
  "health-probe-bind-address" ":8081"
  "metrics-bind-address" ":8080"
  "v" $values.logVerbosity
  "log_file_max_size" $values.logFileMaxSize
  "enable-guard-rail" $values.enableGuardRail
  "whitelisted-users" (list (include "hub-agent.user" .) $values.whitelistedUsers | compact | join ",")
  "enable-workload" $values.enableWorkload
  "force-delete-wait-time" $values.forceDeleteWaitTime
  "cluster-unhealthy-threshold" $values.clusterUnhealthyThreshold
  "resource-snapshot-creation-minimum-interval" $values.resourceSnapshotCreationMinimumInterval
  "resource-changes-collection-duration" $values.resourceChangesCollectionDuration
  "enable-cluster-inventory-apis" $values.enableClusterInventoryAPI
  "enable-staged-update-run-apis" $values.enableStagedUpdateRunAPIs
  "enable-eviction-apis" $values.enableEvictionAPIs
  "hub-api-qps" $values.hubAPIQPS
  "hub-api-burst" $values.hubAPIBurst
  "max-concurrent-cluster-placement" $values.MaxConcurrentClusterPlacement
  "concurrent-resource-change-syncs" $values.ConcurrentResourceChangeSyncs
  "max-fleet-size" $values.MaxFleetSizeSupported
  "networking-agents-enabled" $values.networkingAgentsEnabled
}}
{{- if $values.enablePprof }}
{{- $flags = merge $flags (dict "enable-pprof" true "pprof-port" $values.pprofPort) }}
{{- end }}
{{- if $values.enableWebhook }}
{{- if eq $values.webhookClientConnectionType "url" }}
{{- $_ := set $flags "webhook-url" (printf "https://%s.%s.svc.cluster.local:9443" $values.webhookServiceName $values.namespace) }}
{{- else }}
{{- $_ := set $flags "webhook-service" (printf "%s/%s:9443" $values.namespace $values.webhookServiceName) }}
{{- end }}
{{- end }}
{{- if $values.enableAdmissionPolicyManager }}
{{- $_ := set $flags "enable-admission-policy-manager" true }}
{{- with $values.admissionPolicyManagerConfigName }}
{{- $_ := set $flags "admission-policy-manager-config" (printf "%s/%s" $values.additionalConfigDataMountPath .) }}
{{- end }}
{{- end }}
{{- range $flag, $value := $flags }}
{{- $text := toString $value }}
{{- if $text }}
- {{ printf "--%s=%s" $flag $text | quote }}
{{- end }}
{{- end }}
{{- range $values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{/* Values that would have no effect, or an unsafe one. */}}
{{- define "hub-agent.check" -}}
{{- if ne .Values.namespace "fleet-system" }}
{{- fail "namespace must be fleet-system: service accounts of members and the hub's lease and certificates are there." }}
{{- end }}
{{- if .Values.useCertManager }}
{{- fail "useCertManager must be false: the hub makes and renews the certificate of its webhooks, also for several replicas." }}
{{- end }}
{{- with .Values.admissionPolicyManagerConfigName }}
{{- if not (hasKey $.Values.additionalConfigData .) }}
{{- fail (printf "admissionPolicyManagerConfigName is %s, which is no key of additionalConfigData." .) }}
{{- end }}
{{- end }}
{{- end }}
