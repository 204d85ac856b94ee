/**
 * The fields of Kubernetes' internal types under their Go names and in Go's order, as errors about whole values show
 * them. A field is `Name:type`, or `Name=wire:type` if its wire name is not its own name with a lower-case first
 * letter. Types: `s` text, `i` integer, `b` boolean, `q` quantity, `p` port (a number or a name), `m` map of texts, `w`
 * wire form, or a type of this table. A suffix `?` means a pointer, `[]` a list. `...Type` embeds its fields.
 */
export const internalTypes = `
PodTemplateSpec = ...ObjectMeta Spec:PodSpec
PodSpec = Volumes:Volume[] InitContainers:Container[] Containers:Container[]
  EphemeralContainers:EphemeralContainer[] RestartPolicy:s TerminationGracePeriodSeconds:i? ActiveDeadlineSeconds:i?
  DNSPolicy=dnsPolicy:s NodeSelector:m ServiceAccountName:s AutomountServiceAccountToken:b? NodeName:s
  SecurityContext:PodSecurityContext? ImagePullSecrets:LocalObjectReference[] Hostname:s Subdomain:s
  SetHostnameAsFQDN:b? Affinity:Affinity? SchedulerName:s Tolerations:Toleration[] HostAliases:HostAlias[]
  PriorityClassName:s Priority:i? PreemptionPolicy:s? DNSConfig=dnsConfig:PodDNSConfig?
  ReadinessGates:PodReadinessGate[] RuntimeClassName:s? Overhead:m EnableServiceLinks:b?
  TopologySpreadConstraints:TopologySpreadConstraint[] OS=os:PodOS? SchedulingGates:PodSchedulingGate[]
  ResourceClaims:PodResourceClaim[] Resources:ResourceRequirements? HostnameOverride:s?
  SchedulingGroup:PodSchedulingGroup?
Volume = Name:s ...VolumeSource
VolumeSource = HostPath:HostPathVolumeSource? EmptyDir:EmptyDirVolumeSource?
  GCEPersistentDisk=gcePersistentDisk:GCEPersistentDiskVolumeSource?
  AWSElasticBlockStore=awsElasticBlockStore:AWSElasticBlockStoreVolumeSource? GitRepo:GitRepoVolumeSource?
  Secret:SecretVolumeSource? NFS=nfs:NFSVolumeSource? ISCSI=iscsi:ISCSIVolumeSource?
  Glusterfs:GlusterfsVolumeSource? PersistentVolumeClaim:PersistentVolumeClaimVolumeSource? RBD=rbd:RBDVolumeSource?
  Quobyte:QuobyteVolumeSource? FlexVolume:FlexVolumeSource? Cinder:CinderVolumeSource?
  CephFS=cephfs:CephFSVolumeSource? Flocker:FlockerVolumeSource? DownwardAPI:DownwardAPIVolumeSource?
  FC=fc:FCVolumeSource? AzureFile:AzureFileVolumeSource? ConfigMap:ConfigMapVolumeSource?
  VsphereVolume:VsphereVirtualDiskVolumeSource? AzureDisk:AzureDiskVolumeSource?
  PhotonPersistentDisk:PhotonPersistentDiskVolumeSource? Projected:ProjectedVolumeSource?
  PortworxVolume:PortworxVolumeSource? ScaleIO:ScaleIOVolumeSource? StorageOS=storageos:StorageOSVolumeSource?
  CSI=csi:CSIVolumeSource? Ephemeral:EphemeralVolumeSource? Image:ImageVolumeSource?
HostPathVolumeSource = Path:s Type:s?
EmptyDirVolumeSource = Medium:s SizeLimit:q?
GCEPersistentDiskVolumeSource = PDName=pdName:s FSType=fsType:s Partition:i ReadOnly:b
AWSElasticBlockStoreVolumeSource = VolumeID:s FSType=fsType:s Partition:i ReadOnly:b
GitRepoVolumeSource = Repository:s Revision:s Directory:s
SecretVolumeSource = SecretName:s Items:KeyToPath[] DefaultMode:i? Optional:b?
KeyToPath = Key:s Path:s Mode:i?
NFSVolumeSource = Server:s Path:s ReadOnly:b
ISCSIVolumeSource = TargetPortal:s IQN=iqn:s Lun:i ISCSIInterface=iscsiInterface:s FSType=fsType:s ReadOnly:b
  Portals:s[] DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b
  SecretRef:LocalObjectReference? InitiatorName:s?
LocalObjectReference = Name:s
GlusterfsVolumeSource = EndpointsName=endpoints:s Path:s ReadOnly:b
PersistentVolumeClaimVolumeSource = ClaimName:s ReadOnly:b
RBDVolumeSource = CephMonitors=monitors:s[] RBDImage=image:s FSType=fsType:s RBDPool=pool:s RadosUser=user:s
  Keyring:s SecretRef:LocalObjectReference? ReadOnly:b
QuobyteVolumeSource = Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s
FlexVolumeSource = Driver:s FSType=fsType:s SecretRef:LocalObjectReference? ReadOnly:b Options:m
CinderVolumeSource = VolumeID:s FSType=fsType:s ReadOnly:b SecretRef:LocalObjectReference?
CephFSVolumeSource = Monitors:s[] Path:s User:s SecretFile:s SecretRef:LocalObjectReference? ReadOnly:b
FlockerVolumeSource = DatasetName:s DatasetUUID:s
DownwardAPIVolumeSource = Items:DownwardAPIVolumeFile[] DefaultMode:i?
DownwardAPIVolumeFile = Path:s FieldRef:ObjectFieldSelector? ResourceFieldRef:ResourceFieldSelector? Mode:i?
ObjectFieldSelector = APIVersion=apiVersion:s FieldPath:s
ResourceFieldSelector = ContainerName:s Resource:s Divisor:q
FCVolumeSource = TargetWWNs:s[] Lun:i? FSType=fsType:s ReadOnly:b WWIDs=wwids:s[]
AzureFileVolumeSource = SecretName:s ShareName:s ReadOnly:b
ConfigMapVolumeSource = ...LocalObjectReference Items:KeyToPath[] DefaultMode:i? Optional:b?
VsphereVirtualDiskVolumeSource = VolumePath:s FSType=fsType:s StoragePolicyName:s StoragePolicyID:s
AzureDiskVolumeSource = DiskName:s DataDiskURI=diskURI:s CachingMode:s? FSType=fsType:s? ReadOnly:b? Kind:s?
PhotonPersistentDiskVolumeSource = PdID:s FSType=fsType:s
ProjectedVolumeSource = Sources:VolumeProjection[] DefaultMode:i?
VolumeProjection = Secret:SecretProjection? DownwardAPI:DownwardAPIProjection? ConfigMap:ConfigMapProjection?
  ServiceAccountToken:ServiceAccountTokenProjection? ClusterTrustBundle:ClusterTrustBundleProjection?
  PodCertificate:PodCertificateProjection?
SecretProjection = ...LocalObjectReference Items:KeyToPath[] Optional:b?
DownwardAPIProjection = Items:DownwardAPIVolumeFile[]
ConfigMapProjection = ...LocalObjectReference Items:KeyToPath[] Optional:b?
ServiceAccountTokenProjection = Audience:s ExpirationSeconds:i Path:s
ClusterTrustBundleProjection = Name:s? SignerName:s? LabelSelector:w? Optional:b? Path:s
PodCertificateProjection = SignerName:s KeyType:s MaxExpirationSeconds:i? CredentialBundlePath:s KeyPath:s
  CertificateChainPath:s UserAnnotations:m
PortworxVolumeSource = VolumeID:s FSType=fsType:s ReadOnly:b
ScaleIOVolumeSource = Gateway:s System:s SecretRef:LocalObjectReference? SSLEnabled=sslEnabled:b ProtectionDomain:s
  StoragePool:s StorageMode:s VolumeName:s FSType=fsType:s ReadOnly:b
StorageOSVolumeSource = VolumeName:s VolumeNamespace:s FSType=fsType:s ReadOnly:b SecretRef:LocalObjectReference?
CSIVolumeSource = Driver:s ReadOnly:b? FSType=fsType:s? VolumeAttributes:m
  NodePublishSecretRef:LocalObjectReference?
EphemeralVolumeSource = VolumeClaimTemplate:PersistentVolumeClaimTemplate?
PersistentVolumeClaimTemplate = ...ObjectMeta Spec:PersistentVolumeClaimSpec
PersistentVolumeClaimSpec = AccessModes:s[] Selector:w? Resources:VolumeResourceRequirements VolumeName:s
  StorageClassName:s? VolumeMode:s? DataSource:TypedLocalObjectReference? DataSourceRef:TypedObjectReference?
  VolumeAttributesClassName:s?
VolumeResourceRequirements = Limits:m Requests:m
TypedLocalObjectReference = APIGroup=apiGroup:s? Kind:s Name:s
TypedObjectReference = APIGroup=apiGroup:s? Kind:s Name:s Namespace:s?
ImageVolumeSource = Reference:s PullPolicy:s
Container = Name:s Image:s Command:s[] Args:s[] WorkingDir:s Ports:ContainerPort[] EnvFrom:EnvFromSource[]
  Env:EnvVar[] Resources:ResourceRequirements ResizePolicy:ContainerResizePolicy[] RestartPolicy:s?
  RestartPolicyRules:ContainerRestartRule[] VolumeMounts:VolumeMount[] VolumeDevices:VolumeDevice[]
  LivenessProbe:Probe? ReadinessProbe:Probe? StartupProbe:Probe? Lifecycle:Lifecycle? TerminationMessagePath:s
  TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:SecurityContext? Stdin:b StdinOnce:b TTY=tty:b
ContainerPort = Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s
EnvFromSource = Prefix:s ConfigMapRef:ConfigMapEnvSource? SecretRef:SecretEnvSource?
ConfigMapEnvSource = ...LocalObjectReference Optional:b?
SecretEnvSource = ...LocalObjectReference Optional:b?
EnvVar = Name:s Value:s ValueFrom:EnvVarSource?
EnvVarSource = FieldRef:ObjectFieldSelector? ResourceFieldRef:ResourceFieldSelector?
  ConfigMapKeyRef:ConfigMapKeySelector? SecretKeyRef:SecretKeySelector? FileKeyRef:FileKeySelector?
ConfigMapKeySelector = ...LocalObjectReference Key:s Optional:b?
SecretKeySelector = ...LocalObjectReference Key:s Optional:b?
FileKeySelector = VolumeName:s Path:s Key:s Optional:b?
ResourceRequirements = Limits:m Requests:m Claims:ResourceClaim[]
ResourceClaim = Name:s Request:s
ContainerResizePolicy = ResourceName:s RestartPolicy:s
ContainerRestartRule = Action:s ExitCodes:ContainerRestartRuleOnExitCodes?
ContainerRestartRuleOnExitCodes = Operator:s Values:i[]
VolumeMount = Name:s ReadOnly:b RecursiveReadOnly:s? MountPath:s SubPath:s MountPropagation:s? SubPathExpr:s
VolumeDevice = Name:s DevicePath:s
Probe = ...ProbeHandler InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i
  TerminationGracePeriodSeconds:i?
ProbeHandler = Exec:ExecAction? HTTPGet=httpGet:HTTPGetAction? TCPSocket=tcpSocket:TCPSocketAction?
  GRPC=grpc:GRPCAction?
ExecAction = Command:s[]
HTTPGetAction = Path:s Port:p Host:s Scheme:s HTTPHeaders=httpHeaders:HTTPHeader[]
HTTPHeader = Name:s Value:s
TCPSocketAction = Port:p Host:s
GRPCAction = Port:i Service:s?
Lifecycle = PostStart:LifecycleHandler? PreStop:LifecycleHandler? StopSignal:s?
LifecycleHandler = Exec:ExecAction? HTTPGet=httpGet:HTTPGetAction? TCPSocket=tcpSocket:TCPSocketAction?
  Sleep:SleepAction?
SleepAction = Seconds:i
SecurityContext = Capabilities:Capabilities? Privileged:b? SELinuxOptions=seLinuxOptions:SELinuxOptions?
  WindowsOptions:WindowsSecurityContextOptions? RunAsUser:i? RunAsGroup:i? RunAsNonRoot:b? ReadOnlyRootFilesystem:b?
  AllowPrivilegeEscalation:b? ProcMount:s? SeccompProfile:SeccompProfile? AppArmorProfile:AppArmorProfile?
Capabilities = Add:s[] Drop:s[]
SELinuxOptions = User:s Role:s Type:s Level:s
WindowsSecurityContextOptions = GMSACredentialSpecName=gmsaCredentialSpecName:s?
  GMSACredentialSpec=gmsaCredentialSpec:s? RunAsUserName:s? HostProcess:b?
SeccompProfile = Type:s LocalhostProfile:s?
AppArmorProfile = Type:s LocalhostProfile:s?
EphemeralContainer = ...Container TargetContainerName:s
PodSecurityContext = HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:b? HostUsers:b?
  SELinuxOptions=seLinuxOptions:SELinuxOptions? WindowsOptions:WindowsSecurityContextOptions? RunAsUser:i?
  RunAsGroup:i? RunAsNonRoot:b? SupplementalGroups:i[] SupplementalGroupsPolicy:s? FSGroup=fsGroup:i?
  FSGroupChangePolicy=fsGroupChangePolicy:s? Sysctls:Sysctl[] SeccompProfile:SeccompProfile?
  AppArmorProfile:AppArmorProfile? SELinuxChangePolicy=seLinuxChangePolicy:s?
Sysctl = Name:s Value:s
Affinity = NodeAffinity:NodeAffinity? PodAffinity:PodAffinity? PodAntiAffinity:PodAntiAffinity?
NodeAffinity = RequiredDuringSchedulingIgnoredDuringExecution:NodeSelector?
  PreferredDuringSchedulingIgnoredDuringExecution:PreferredSchedulingTerm[]
NodeSelector = NodeSelectorTerms:NodeSelectorTerm[]
NodeSelectorTerm = MatchExpressions:NodeSelectorRequirement[] MatchFields:NodeSelectorRequirement[]
NodeSelectorRequirement = Key:s Operator:s Values:s[]
PreferredSchedulingTerm = Weight:i Preference:NodeSelectorTerm
PodAffinity = RequiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[]
  PreferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[]
PodAffinityTerm = LabelSelector:w? Namespaces:s[] TopologyKey:s NamespaceSelector:w? MatchLabelKeys:s[]
  MismatchLabelKeys:s[]
WeightedPodAffinityTerm = Weight:i PodAffinityTerm:PodAffinityTerm
PodAntiAffinity = RequiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[]
  PreferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[]
Toleration = Key:s Operator:s Value:s Effect:s TolerationSeconds:i?
HostAlias = IP=ip:s Hostnames:s[]
PodDNSConfig = Nameservers:s[] Searches:s[] Options:PodDNSConfigOption[]
PodDNSConfigOption = Name:s Value:s?
PodReadinessGate = ConditionType:s
TopologySpreadConstraint = MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:w? MinDomains:i?
  NodeAffinityPolicy:s? NodeTaintsPolicy:s? MatchLabelKeys:s[]
PodOS = Name:s
PodSchedulingGate = Name:s
PodResourceClaim = Name:s ResourceClaimName:s? ResourceClaimTemplateName:s?
PodSchedulingGroup = PodGroupName:s?
PodFailurePolicy = Rules:PodFailurePolicyRule[]
PodFailurePolicyRule = Action:s OnExitCodes:PodFailurePolicyOnExitCodesRequirement?
  OnPodConditions:PodFailurePolicyOnPodConditionsPattern[]
PodFailurePolicyOnExitCodesRequirement = ContainerName:s? Operator:s Values:i[]
PodFailurePolicyOnPodConditionsPattern = Type:s Status:s
SuccessPolicy = Rules:SuccessPolicyRule[]
SuccessPolicyRule = SucceededIndexes:s? SucceededCount:i?
DeploymentStrategy = Type:s RollingUpdate:RollingUpdateDeployment?
RollingUpdateDeployment = MaxUnavailable:p MaxSurge:p
DaemonSetUpdateStrategy = Type:s RollingUpdate:RollingUpdateDaemonSet?
RollingUpdateDaemonSet = MaxUnavailable:p MaxSurge:p
StatefulSetUpdateStrategy = Type:s RollingUpdate:RollingUpdateStatefulSetStrategy?
RollingUpdateStatefulSetStrategy = Partition:i MaxUnavailable:p?
PersistentVolumeSource = GCEPersistentDisk=gcePersistentDisk:GCEPersistentDiskVolumeSource?
  AWSElasticBlockStore=awsElasticBlockStore:AWSElasticBlockStoreVolumeSource? HostPath:HostPathVolumeSource?
  Glusterfs:GlusterfsPersistentVolumeSource? NFS=nfs:NFSVolumeSource? RBD=rbd:RBDPersistentVolumeSource?
  Quobyte:QuobyteVolumeSource? ISCSI=iscsi:ISCSIPersistentVolumeSource? FlexVolume:FlexPersistentVolumeSource?
  Cinder:CinderPersistentVolumeSource? CephFS=cephfs:CephFSPersistentVolumeSource? FC=fc:FCVolumeSource?
  Flocker:FlockerVolumeSource? AzureFile:AzureFilePersistentVolumeSource?
  VsphereVolume:VsphereVirtualDiskVolumeSource? AzureDisk:AzureDiskVolumeSource?
  PhotonPersistentDisk:PhotonPersistentDiskVolumeSource? PortworxVolume:PortworxVolumeSource?
  ScaleIO:ScaleIOPersistentVolumeSource? Local:LocalVolumeSource? StorageOS=storageos:StorageOSPersistentVolumeSource?
  CSI=csi:CSIPersistentVolumeSource?
GlusterfsPersistentVolumeSource = EndpointsName=endpoints:s Path:s ReadOnly:b EndpointsNamespace:s?
RBDPersistentVolumeSource = CephMonitors=monitors:s[] RBDImage=image:s FSType=fsType:s RBDPool=pool:s RadosUser=user:s
  Keyring:s SecretRef:SecretReference? ReadOnly:b
ISCSIPersistentVolumeSource = TargetPortal:s IQN=iqn:s Lun:i ISCSIInterface=iscsiInterface:s FSType=fsType:s ReadOnly:b
  Portals:s[] DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b
  SecretRef:SecretReference? InitiatorName:s?
FlexPersistentVolumeSource = Driver:s FSType=fsType:s SecretRef:SecretReference? ReadOnly:b Options:m
CinderPersistentVolumeSource = VolumeID:s FSType=fsType:s ReadOnly:b SecretRef:SecretReference?
CephFSPersistentVolumeSource = Monitors:s[] Path:s User:s SecretFile:s SecretRef:SecretReference? ReadOnly:b
AzureFilePersistentVolumeSource = SecretName:s ShareName:s ReadOnly:b SecretNamespace:s?
ScaleIOPersistentVolumeSource = Gateway:s System:s SecretRef:SecretReference? SSLEnabled=sslEnabled:b
  ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType=fsType:s ReadOnly:b
LocalVolumeSource = Path:s FSType=fsType:s?
StorageOSPersistentVolumeSource = VolumeName:s VolumeNamespace:s FSType=fsType:s ReadOnly:b SecretRef:ObjectReference?
CSIPersistentVolumeSource = Driver:s VolumeHandle:s ReadOnly:b FSType=fsType:s VolumeAttributes:m
  ControllerPublishSecretRef:SecretReference? NodeStageSecretRef:SecretReference?
  NodePublishSecretRef:SecretReference? ControllerExpandSecretRef:SecretReference?
  NodeExpandSecretRef:SecretReference?
SecretReference = Name:s Namespace:s
ObjectReference = Kind:s Namespace:s Name:s UID=uid:s APIVersion=apiVersion:s ResourceVersion:s FieldPath:s
VolumeNodeAffinity = Required:NodeSelector?
`;
