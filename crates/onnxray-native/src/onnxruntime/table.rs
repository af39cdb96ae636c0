//! The table of functions that the `ort` crate calls, for a library of any version.
//!
//! # Soundness
//!
//! The crate is built for the newest interface, and a library may be older. ONNX Runtime's
//! interface only grows: a version appends functions to the table, and changes none that is there
//! (`onnxruntime_c_api.h`: "Do not modify the order of functions or add functions in the middle").
//! So a library that grants version N has, at the address that it returns, all functions up to N,
//! at the offsets and of the types that `ort_sys` declares, and may have nothing behind them. That
//! many bytes are copied. All others are functions of this crate, of the declared types: `missing`
//! makes them by type, so that the compiler checks them. None is of `ort_sys::stub`, although the
//! table begins with it: `ort` gives each error to the library, which cannot read or release that
//! of a stub.
//!
//! `ort` cannot do without three functions that old libraries lack; it gets them, made of what
//! those have. It is pinned to one version; after another one is taken, this has to hold:
//!
//! - the dimensions that `GetTensorElementTypeAndShapeDataReference` points to are read before the
//!   same thread calls it again (`ValueType::from_tensor_value`);
//! - what `SessionGetMemoryInfoFor…` points to is never released (`MemoryInfo::from_raw(_, false)`).

use super::missing::Missing;
use ort::sys::{
    ONNXTensorElementDataType, OrtAllocatorType, OrtApi, OrtMemType, OrtMemoryInfo, OrtSession,
    OrtStatusPtr, OrtTensorTypeAndShapeInfo, OrtValue, stub,
};
use std::cell::RefCell;
use std::mem::{offset_of, size_of};
use std::ptr::{self, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The oldest interface that serves: the one that the table cannot do without.
pub const OLDEST: u32 = 17;
/// The newest interface that the table has functions of.
pub const NEWEST: u32 = ort::MINOR_VERSION;

/// Lists the functions that newer interfaces than the oldest have, in their order.
macro_rules! newer_functions {
    ($($version:literal: $($function:ident)+;)+) => {
        /// How many bytes of the table a library has that grants this version.
        pub(super) fn size_of_version(granted: u32) -> usize {
            let firsts = [$(($version, [$(offset_of!(OrtApi, $function)),+][0])),+];
            let first = firsts.iter().find(|(version, _)| *version > granted);
            first.map_or(size_of::<OrtApi>(), |(_, offset)| *offset)
        }

        /// A table whose functions of newer versions than the oldest are missing.
        fn without_newer_functions() -> OrtApi {
            let mut table = stub::api();
            $($(table.$function = Missing::MISSING;)+)+
            table
        }
    };
}

newer_functions! {
    18: SessionOptionsAppendExecutionProvider_VitisAI KernelContext_GetScratchBuffer
        KernelInfoGetAllocator AddExternalInitializersFromMemory;
    20: CreateLoraAdapter CreateLoraAdapterFromArray ReleaseLoraAdapter
        RunOptionsAddActiveLoraAdapter SetEpDynamicOptions;
    22: ReleaseValueInfo ReleaseNode ReleaseGraph ReleaseModel GetValueInfoName
        GetValueInfoTypeInfo GetModelEditorApi CreateTensorWithDataAndDeleterAsOrtValue
        SessionOptionsSetLoadCancellationFlag GetCompileApi CreateKeyValuePairs AddKeyValuePair
        GetKeyValue GetKeyValuePairs RemoveKeyValuePair ReleaseKeyValuePairs
        RegisterExecutionProviderLibrary UnregisterExecutionProviderLibrary GetEpDevices
        SessionOptionsAppendExecutionProvider_V2 SessionOptionsSetEpSelectionPolicy
        SessionOptionsSetEpSelectionPolicyDelegate HardwareDevice_Type HardwareDevice_VendorId
        HardwareDevice_Vendor HardwareDevice_DeviceId HardwareDevice_Metadata EpDevice_EpName
        EpDevice_EpVendor EpDevice_EpMetadata EpDevice_EpOptions EpDevice_Device GetEpApi;
    23: GetTensorSizeInBytes AllocatorGetStats CreateMemoryInfo_V2 MemoryInfoGetDeviceMemType
        MemoryInfoGetVendorId ValueInfo_GetValueProducer ValueInfo_GetValueNumConsumers
        ValueInfo_GetValueConsumers ValueInfo_GetInitializerValue
        ValueInfo_GetExternalInitializerInfo ValueInfo_IsRequiredGraphInput
        ValueInfo_IsOptionalGraphInput ValueInfo_IsGraphOutput ValueInfo_IsConstantInitializer
        ValueInfo_IsFromOuterScope Graph_GetName Graph_GetModelPath Graph_GetOnnxIRVersion
        Graph_GetNumOperatorSets Graph_GetOperatorSets Graph_GetNumInputs Graph_GetInputs
        Graph_GetNumOutputs Graph_GetOutputs Graph_GetNumInitializers Graph_GetInitializers
        Graph_GetNumNodes Graph_GetNodes Graph_GetParentNode Graph_GetGraphView Node_GetId
        Node_GetName Node_GetOperatorType Node_GetDomain Node_GetSinceVersion Node_GetNumInputs
        Node_GetInputs Node_GetNumOutputs Node_GetOutputs Node_GetNumImplicitInputs
        Node_GetImplicitInputs Node_GetNumAttributes Node_GetAttributes Node_GetAttributeByName
        OpAttr_GetTensorAttributeAsOrtValue OpAttr_GetType OpAttr_GetName Node_GetNumSubgraphs
        Node_GetSubgraphs Node_GetGraph Node_GetEpName ReleaseExternalInitializerInfo
        ExternalInitializerInfo_GetFilePath ExternalInitializerInfo_GetFileOffset
        ExternalInitializerInfo_GetByteSize GetRunConfigEntry EpDevice_MemoryInfo
        CreateSharedAllocator GetSharedAllocator ReleaseSharedAllocator GetTensorData
        GetSessionOptionsConfigEntries SessionGetMemoryInfoForInputs SessionGetMemoryInfoForOutputs
        SessionGetEpDeviceForInputs CreateSyncStreamForEpDevice SyncStream_GetHandle
        ReleaseSyncStream CopyTensors Graph_GetModelMetadata GetModelCompatibilityForEpDevices
        CreateExternalInitializerInfo;
    24: TensorTypeAndShape_HasShape KernelInfo_GetConfigEntries KernelInfo_GetOperatorDomain
        KernelInfo_GetOperatorType KernelInfo_GetOperatorSinceVersion GetInteropApi
        SessionGetEpDeviceForOutputs GetNumHardwareDevices GetHardwareDevices
        GetHardwareDeviceEpIncompatibilityDetails DeviceEpIncompatibilityDetails_GetReasonsBitmask
        DeviceEpIncompatibilityDetails_GetNotes DeviceEpIncompatibilityDetails_GetErrorCode
        ReleaseDeviceEpIncompatibilityDetails GetCompatibilityInfoFromModel
        GetCompatibilityInfoFromModelBytes CreateEnvWithOptions Session_GetEpGraphAssignmentInfo
        EpAssignedSubgraph_GetEpName EpAssignedSubgraph_GetNodes EpAssignedNode_GetName
        EpAssignedNode_GetDomain EpAssignedNode_GetOperatorType RunOptionsSetSyncStream
        GetTensorElementTypeAndShapeDataReference;
    25: RunOptionsEnableProfiling RunOptionsDisableProfiling KernelInfoGetAttributeArray_string
        SetPerSessionThreadPoolCallbacks;
    27: GetMemPatternEnabled GetSessionExecutionMode SessionReleaseCapturedGraph;
    28: GetExperimentalFunction KernelContext_GetSyncStream;
    29: SessionOptionsSetWeightlessSourceModelBuffer;
    30: KernelContext_GetPreallocatedOutput;
    31: SessionOptionsSetEpContextDataReadFunc GetModelPackageApi;
}

/// The table of a library that grants this version.
///
/// # Safety
///
/// `own` points to the table of the library, which grants `granted`, and stays loaded.
#[expect(unsafe_code, reason = "the library's table ends where its version says")]
pub(super) unsafe fn of_library(own: *const OrtApi, granted: u32) -> OrtApi {
    let mut table = without_newer_functions();
    let size = size_of_version(granted);
    // SAFETY: the caller's table has that many bytes, all of them addresses of functions of the
    // declared types; ours has no fewer.
    unsafe {
        ptr::copy_nonoverlapping(own.cast::<u8>(), (&raw mut table).cast::<u8>(), size);
    }
    if granted < 23 {
        table.SessionGetMemoryInfoForInputs = memory_of_the_processor;
        table.SessionGetMemoryInfoForOutputs = memory_of_the_processor;
    }
    if granted < 24 {
        table.GetTensorElementTypeAndShapeDataReference = type_and_shape;
    }
    // `ort` asks it for efficiency whenever a session begins: a library would then look for devices
    // by itself, and a session that names no provider would run on those of a plugin.
    table.SessionOptionsSetEpSelectionPolicy = Missing::MISSING;
    table
}

/// Where inputs and outputs of a session are, of which the library does not tell: where `ort`
/// makes tensors.
#[expect(unsafe_code, reason = "a function of the table")]
unsafe extern "system" fn memory_of_the_processor(
    _session: *const OrtSession,
    infos: *mut *const OrtMemoryInfo,
    count: usize,
) -> OrtStatusPtr {
    /// Made once, and kept: nobody releases it.
    static PROCESSOR: AtomicPtr<OrtMemoryInfo> = AtomicPtr::new(null_mut());
    let mut info = PROCESSOR.load(Ordering::Acquire);
    if info.is_null() {
        let (allocator, memory) =
            (OrtAllocatorType::OrtDeviceAllocator, OrtMemType::OrtMemTypeDefault);
        // SAFETY: it is a function of the oldest version, and writes one pointer.
        let status = unsafe { (ort::api().CreateCpuMemoryInfo)(allocator, memory, &raw mut info) };
        if !status.0.is_null() {
            return status;
        }
        // Two threads may make one each.
        PROCESSOR.store(info, Ordering::Release);
    }
    for position in 0..count {
        // SAFETY: the caller has room for `count` pointers.
        unsafe { infos.add(position).write(info) };
    }
    OrtStatusPtr::default()
}

thread_local! {
    /// The dimensions that a thread asked for last.
    static DIMENSIONS: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// A tensor's type and dimensions, which stay where they are until the thread asks again.
#[expect(unsafe_code, reason = "a function of the table")]
unsafe extern "system" fn type_and_shape(
    value: *const OrtValue,
    element: *mut ONNXTensorElementDataType,
    dimensions: *mut *const i64,
    count: *mut usize,
) -> OrtStatusPtr {
    let api = ort::api();
    let mut info: *mut OrtTensorTypeAndShapeInfo = null_mut();
    // SAFETY: functions of the oldest version. The caller has a tensor, and room for what it asks
    // for; `info` is released once, and the dimensions' room is as large as the library says.
    unsafe {
        let status = (api.GetTensorTypeAndShape)(value, &raw mut info);
        if !status.0.is_null() {
            return status;
        }
        let ask = || {
            let status = (api.GetTensorElementType)(info, element);
            if !status.0.is_null() {
                return status;
            }
            let status = (api.GetDimensionsCount)(info, count);
            if !status.0.is_null() {
                return status;
            }
            DIMENSIONS.with_borrow_mut(|kept| {
                kept.resize(*count, 0);
                dimensions.write(kept.as_ptr());
                (api.GetDimensions)(info, kept.as_mut_ptr(), kept.len())
            })
        };
        let status = ask();
        (api.ReleaseTensorTypeAndShapeInfo)(info);
        status
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The addresses in a table.
    #[expect(unsafe_code, reason = "a table holds addresses and nothing else")]
    fn addresses(table: OrtApi) -> Vec<usize> {
        const COUNT: usize = size_of::<OrtApi>() / size_of::<usize>();
        // SAFETY: both have one size, and every address is a number.
        unsafe { std::mem::transmute::<OrtApi, [usize; COUNT]>(table) }.to_vec()
    }

    #[test]
    fn no_stub_is_behind_what_the_oldest_library_has() {
        let (stubs, ours) = (addresses(stub::api()), addresses(without_newer_functions()));
        let oldest = size_of_version(OLDEST) / size_of::<usize>();
        assert!(ours.len() - oldest > 100, "{oldest} of {}", ours.len());
        assert_eq!(ours[..oldest], stubs[..oldest]);
        assert!(ours[oldest..].iter().all(|function| !stubs.contains(function)));
    }

    #[test]
    fn functions_are_those_of_the_library_up_to_its_version() {
        // Stubs are a library that has everything.
        let library = stub::api();
        let all = addresses(stub::api());
        for granted in [OLDEST, 18, 19, 22, 23, 24, 30, NEWEST, NEWEST + 1] {
            let size = size_of_version(granted) / size_of::<usize>();
            // SAFETY: the table has every function.
            #[expect(unsafe_code, reason = "a table that is longer than its version")]
            let table = unsafe { of_library(&raw const library, granted) };
            let policy = offset_of!(OrtApi, SessionOptionsSetEpSelectionPolicy);
            for (position, (own, of_library)) in addresses(table).iter().zip(&all).enumerate() {
                let is_taken = position < size && position != policy / size_of::<usize>();
                assert_eq!(own == of_library, is_taken, "function {position} of {granted}");
            }
        }
        assert_eq!(size_of_version(18), size_of_version(19), "19 has no function of its own");
        assert_eq!(size_of_version(NEWEST), size_of::<OrtApi>());
        assert_eq!(size_of_version(21), offset_of!(OrtApi, ReleaseValueInfo));
    }
}
