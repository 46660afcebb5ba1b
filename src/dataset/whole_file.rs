//! Files that appear whole or not at all.
//!
//! What is written goes to a temporary name in the same folder (`NAME.tmp`); [`WholeFile::commit`] flushes it to the
//! disk and renames it, so a reader never sees half a file and an interrupted program leaves the old one in place.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file in the making. Dropped without [`commit`](WholeFile::commit), it vanishes.
#[derive(Debug)]
pub struct WholeFile {
    out: Option<BufWriter<File>>,
    temporary: PathBuf,
    path: PathBuf,
}

impl WholeFile {
    /// Begins the file that will stand at `path`. What stands there now must be a regular file or nothing.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        if path.file_name().is_none() || fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let temporary = beside(path, ".tmp");
        let out = Some(BufWriter::new(File::create(&temporary)?));
        Ok(WholeFile { out, temporary, path: path.to_path_buf() })
    }

    /// Puts the file in its place, once its bytes are on the disk.
    pub fn commit(mut self) -> io::Result<()> {
        let mut out = self.out.take().expect("present until commit");
        let result = out.flush().and_then(|()| out.get_ref().sync_all()).and_then(|()| {
            // What the buffer holds is on the disk: closing it cannot fail unseen.
            drop(out);
            fs::rename(&self.temporary, &self.path)
        });
        if result.is_err() {
            let _ = fs::remove_file(&self.temporary);
        }
        result.and_then(|()| sync_folder(&self.path))
    }

    fn out(&mut self) -> &mut BufWriter<File> {
        self.out.as_mut().expect("present until commit")
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out().flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out().seek(to)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(out) = self.out.take() {
            // The bytes still in the buffer are not wanted, and on a full disk they could not be written.
            let _ = out.into_parts();
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// `path` with `suffix` appended to its last component.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

/// Makes a rename in the folder of `path` last through a power failure.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot flush a folder; the rename itself has happened.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_stands_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the temporary file is gone");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_not_a_regular_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        assert!(WholeFile::create(folder.path()).is_err());
        assert!(WholeFile::create(Path::new("/dev/null")).is_err());
        assert!(WholeFile::create(Path::new("/")).is_err());
    }
}
