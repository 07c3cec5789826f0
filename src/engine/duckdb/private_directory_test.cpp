#include "engine/duckdb/private_directory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

class PrivateDirectoryTest : public ::testing::Test {
 protected:
  PrivateDirectoryTest() {
    const char* outer = getenv("TMPDIR");
    if (outer != nullptr) before = outer;
    setenv("TMPDIR", parent.c_str(), 1);
  }
  ~PrivateDirectoryTest() override { before.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before.c_str(), 1); }
  testing::TemporaryFolder own;
  const fs::path& parent = own.path();
  std::string before;
};

TEST_F(PrivateDirectoryTest, IsClosedToOthersAndRemoved) {
  {
    const auto directory = PrivateDirectory::make();
    ASSERT_TRUE(directory);
    struct stat status {};
    ASSERT_EQ(stat(directory->path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    std::ofstream(directory->path() / "spilled") << "x";
    const auto second = PrivateDirectory::make();
    ASSERT_TRUE(second);
    EXPECT_NE(second->path(), directory->path());
    EXPECT_TRUE(fs::exists(directory->path() / "spilled"));  // in use: not swept
  }
  EXPECT_TRUE(fs::is_empty(parent));
}

TEST_F(PrivateDirectoryTest, RemovesWhatAKilledProcessLeft) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto directory = PrivateDirectory::make();
    std::ofstream(directory->path() / "spilled") << "x";
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_FALSE(fs::is_empty(parent));
  fs::create_directory(parent / "somebody-elses");
  {
    const auto directory = PrivateDirectory::make();
    ASSERT_TRUE(directory);
    EXPECT_EQ(std::distance(fs::directory_iterator(parent), fs::directory_iterator()), 2);
  }
  EXPECT_TRUE(fs::exists(parent / "somebody-elses"));
}

TEST_F(PrivateDirectoryTest, SaysWhenItCannotBeMade) {
  setenv("TMPDIR", (parent / "missing").c_str(), 1);
  const auto directory = PrivateDirectory::make();
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, FailureCode::engine);
}

}  // namespace
}  // namespace tacit
