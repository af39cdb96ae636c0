//! How the system runs its cores: frequencies, turbo, hardware threads.

use crate::cores::siblings;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder in which Linux describes its cores; tests have one of their own.
pub(super) struct Processor(pub PathBuf);

impl Processor {
    fn read(&self, file: impl AsRef<Path>) -> Option<String> {
        let text = fs::read_to_string(self.0.join(file)).ok()?;
        Some(text.trim().to_string()).filter(|text| !text.is_empty())
    }

    fn switch(&self, file: &str) -> Option<bool> {
        match self.read(file)?.as_str() {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }

    /// Frequency governor of these cores; several, separated by commas, if they differ.
    pub(super) fn governor(&self, cores: &[u32]) -> Option<String> {
        let of_core = |core| self.read(format!("cpu{core}/cpufreq/scaling_governor"));
        let all: Option<BTreeSet<String>> = cores.iter().map(of_core).collect();
        let all = all.filter(|all| !all.is_empty())?;
        Some(all.into_iter().collect::<Vec<_>>().join(", "))
    }

    pub(super) fn frequency_khz(&self, core: u32) -> Option<u32> {
        self.read(format!("cpu{core}/cpufreq/scaling_cur_freq"))?.parse().ok()
    }

    /// Whether cores may exceed their nominal frequency.
    pub(super) fn turbo(&self) -> Option<bool> {
        // Intel's driver says what is forbidden, the common one what is allowed.
        let forbidden = self.switch("intel_pstate/no_turbo");
        forbidden.map(|forbidden| !forbidden).or_else(|| self.switch("cpufreq/boost"))
    }

    /// Whether cores run several hardware threads.
    pub(super) fn smt(&self) -> Option<bool> {
        self.switch("smt/active")
    }

    /// Hardware threads of these cores that are not among them.
    pub(super) fn siblings(&self, cores: &[u32]) -> Option<Vec<u32>> {
        let of_core = |&core: &u32| siblings(&self.0, core);
        let all: Vec<Vec<u32>> = cores.iter().map(of_core).collect::<Option<_>>()?;
        let all: BTreeSet<u32> = all.into_iter().flatten().collect();
        Some(all.into_iter().filter(|core| !cores.contains(core)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(files: &[(&str, &str)]) -> (tempfile::TempDir, Processor) {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let processor = Processor(folder.path().to_path_buf());
        (folder, processor)
    }

    #[test]
    fn a_machine_that_tells_everything() {
        let (_folder, found) = machine(&[
            ("cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("cpu1/cpufreq/scaling_governor", "performance\n"),
            ("cpu2/cpufreq/scaling_governor", "powersave\n"),
            ("cpu1/cpufreq/scaling_cur_freq", "2400512\n"),
            ("cpu0/topology/thread_siblings_list", "0,2\n"),
            ("cpu1/topology/thread_siblings_list", "1,3\n"),
            ("cpu2/topology/thread_siblings_list", "0,2\n"),
            ("intel_pstate/no_turbo", "1\n"),
            ("smt/active", "1\n"),
        ]);
        assert_eq!(found.governor(&[0, 2]).as_deref(), Some("powersave"));
        assert_eq!(found.governor(&[0, 1, 2]).as_deref(), Some("performance, powersave"));
        assert_eq!(found.governor(&[0, 3]), None, "of one core it does not tell");
        assert_eq!((found.frequency_khz(1), found.frequency_khz(0)), (Some(2_400_512), None));
        assert_eq!((found.turbo(), found.smt()), (Some(false), Some(true)));
        assert_eq!(found.siblings(&[0, 1]), Some(vec![2, 3]));
        assert_eq!(found.siblings(&[0, 2]), Some(vec![]));
        assert_eq!(found.siblings(&[3]), None);
    }

    #[test]
    fn other_words_are_unknown() {
        let (_folder, boosted) = machine(&[("cpufreq/boost", "1\n")]);
        assert_eq!((boosted.turbo(), boosted.smt()), (Some(true), None));
        let (_folder, odd) = machine(&[
            ("cpufreq/boost", "on\n"),
            ("smt/active", "\n"),
            ("cpu0/cpufreq/scaling_governor", "\n"),
            ("cpu0/cpufreq/scaling_cur_freq", "<unknown>\n"),
            ("cpu0/topology/thread_siblings_list", "none\n"),
        ]);
        assert_eq!((odd.turbo(), odd.smt(), odd.governor(&[0])), (None, None, None));
        assert_eq!((odd.frequency_khz(0), odd.siblings(&[0])), (None, None));
        assert_eq!(odd.governor(&[]), None);
    }
}
